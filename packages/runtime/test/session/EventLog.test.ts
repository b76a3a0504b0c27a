/** Readers of a tree's events that disconnect and reconnect: no event is lost or duplicated unnoticed. */
import { type Event, EventStream, Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { sampled } from "../../../../test/thorough.ts"
import { Agent, EventLog, type Model, Session as RuntimeSession, SessionStore } from "../../src/index.ts"
import * as World from "./world.ts"

const treeId = Session.SessionId.make("tree")
const notice = (message: string): Event.Event => ({ _tag: "Notice", sessionId: treeId, message })
const textOf = (item: EventStream.Item): string =>
  item._tag === "Gap" ? "gap" : item.event._tag === "Notice" ? item.event.message : "?"

/** The events that a reader would get now without waiting. */
const takeNow = (log: EventLog.EventLog, after: EventStream.Position | null, count: number) =>
  Effect.gen(function* () {
    const taken: Array<EventStream.Item> = []
    const fiber = yield* Effect.forkChild(
      Stream.runForEach(Stream.take(log.read(after), count), (item) => Effect.sync(() => taken.push(item))),
      { startImmediately: true }
    )
    for (let turn = 0; turn < 5; turn++) yield* Effect.yieldNow
    yield* Fiber.interrupt(fiber)
    return taken
  })

const happening = Schema.Union([
  Schema.Struct({
    _tag: Schema.Literal("Publish"),
    count: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 6 }))
  }),
  Schema.Struct({
    _tag: Schema.Literal("Read"),
    count: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 8 }))
  }),
  Schema.Struct({ _tag: Schema.Literal("Owner"), isNext: Schema.Boolean }),
  Schema.Struct({ _tag: Schema.Literal("Clear") })
])

describe("EventLog", () => {
  it.effect.prop(
    "gives a late reader the full text of an unfinished reply, whatever the log still contains",
    [
      Schema.Array(Schema.Struct({ part: Schema.Literals(["TextDelta", "ReasoningDelta"]), text: Schema.String })),
      Schema.Array(Schema.String),
      Schema.Literals([1, 2, 5, 100])
    ],
    ([deltas, others, capacity]) =>
      Effect.gen(function* () {
        const log = EventLog.make(treeId, capacity)
        log.begin(1)
        const base = { sessionId: treeId, turn: 1 }
        // An earlier reply, known only by its deltas: the step after it starts again.
        for (const text of others) log.publish({ _tag: "TextDelta", ...base, step: 1, text }, 1)
        for (const { part, text } of deltas) log.publish({ _tag: part, ...base, step: 2, text }, 1)
        const items = yield* takeNow(log, null, 1000)
        const textByKind = { TextDelta: "", ReasoningDelta: "" }
        for (const item of items) {
          if (item._tag === "Gap" || !("step" in item.event) || item.event.step !== 2) continue
          if (item.event._tag === "TextDelta" || item.event._tag === "ReasoningDelta") {
            textByKind[item.event._tag] += item.event.text
          }
        }
        const textOf = (tag: string) => deltas.flatMap(({ part, text }) => (part === tag ? [text] : [])).join("")
        assert.deepStrictEqual(textByKind, { TextDelta: textOf("TextDelta"), ReasoningDelta: textOf("ReasoningDelta") })
      })
  )

  it.effect.prop(
    "gives a reader that reconnects each event once and in order, or a gap if it lost some",
    [Schema.Array(happening), Schema.Literals([1, 2, 5, 100])],
    ([all, capacity]) =>
      Effect.gen(function* () {
        const log = EventLog.make(treeId, capacity)
        let lease = 1
        log.begin(lease)
        /** The messages since the last owner that does not follow the one before. */
        let chain: Array<string> = []
        let messages = 0
        let after: EventStream.Position | null = null
        /** The position in the chain at which the reader continues; null: it must get a gap. */
        let expected: number | null = null
        let cleared = 0
        for (const happened of all) {
          if (happened._tag === "Owner") {
            lease += happened.isNext ? 1 : 2
            log.begin(lease)
            if (happened.isNext) continue
            chain = []
            cleared = 0
            expected = null
          } else if (happened._tag === "Clear") {
            log.clear()
            // The same lease continues.
            log.begin(lease)
            cleared = chain.length
            if (expected !== cleared) expected = null
          } else if (happened._tag === "Publish") {
            for (let index = 0; index < happened.count; index++) {
              chain.push(`message ${messages++}`)
              assert.strictEqual(log.publish(notice(chain[chain.length - 1]), 0).number, chain.length)
            }
            if (expected !== null && chain.length - expected > capacity) expected = null
          } else {
            for (const item of yield* takeNow(log, after, happened.count)) {
              after = { epoch: item.epoch, number: item.number }
              if (item._tag === "Gap") {
                assert.isNull(expected, "a gap that was none")
                expected = Math.max(cleared, chain.length - capacity)
                assert.strictEqual(item.number, expected)
              } else {
                assert.isNotNull(expected, "no gap where there was one")
                assert.strictEqual(textOf(item), chain[expected ?? 0])
                expected = item.number
              }
            }
          }
        }
        while (expected !== chain.length) {
          const [item] = yield* takeNow(log, after, 1)
          after = { epoch: item.epoch, number: item.number }
          expected = item.number
        }
      }),
    sampled({ arbitrary: { runs: 300, size: 40 } })
  )

  it.effect("wakes every waiting reader, and counts the readers", () =>
    Effect.gen(function* () {
      const log = EventLog.make(treeId)
      const read = yield* Effect.forEach([0, 1, 2], () =>
        Effect.forkChild(Stream.runCollect(Stream.take(log.read(null), 3)), { startImmediately: true })
      )
      yield* Effect.yieldNow
      assert.strictEqual(log.readers(), 3)
      log.begin(4)
      for (const message of ["a", "b"]) log.publish(notice(message), 0)
      for (const fiber of read) {
        assert.deepStrictEqual(Array.from(yield* Fiber.join(fiber), textOf), ["gap", "a", "b"])
      }
      assert.strictEqual(log.readers(), 0)
    })
  )

  it("has positions that are text", () => {
    for (const text of ["0.0", "3.41", "12.123456789"]) {
      const position = EventStream.parse(text)
      assert.isNotNull(position)
      if (position !== null) assert.strictEqual(EventStream.format(position), text)
    }
    for (const text of ["", "1", "1.", ".1", "-1.2", "01.2", "1.2.3", "1.2\n", "a.b", "1.99999999999999999"]) {
      assert.isNull(EventStream.parse(text), text)
    }
  })
})

/** Replies in words, calls a tool after each reply but the last; between two words other fibers may run. */
const talkative = (replies: ReadonlyArray<ReadonlyArray<string>>): Model.Model["Service"] => {
  let reply = 0
  return {
    name: "talkative/model",
    contextTokens: null,
    priced: false,
    stream: () => {
      const index = reply++
      const isLast = index >= replies.length - 1
      const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: null }
      const words = (replies[index] ?? []).map((text): Model.ModelPart => ({ _tag: "Text", text }))
      const callId = `call_${index}`
      const call: ReadonlyArray<Model.ModelPart> = isLast
        ? []
        : [
            { _tag: "ToolCallStart", callId, name: "look" },
            { _tag: "ToolCallArguments", callId, text: `{"key":"${index}"}` }
          ]
      return Stream.fromIterable<Model.ModelPart>([
        ...words,
        ...call,
        { _tag: "End", reason: isLast ? "stop" : "toolCalls", ...usage }
      ]).pipe(Stream.tap(() => Effect.yieldNow))
    }
  }
}

const word = Schema.Literals(["a", "bb ", "ccc", "\n"])
const replies = Schema.NonEmptyArray(Schema.Array(word))
/** How long a reader is disconnected, then how many events it reads. */
const stays = Schema.NonEmptyArray(
  Schema.Struct({
    away: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 })),
    count: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))
  })
)

describe("a reader that reconnects", () => {
  it.effect.prop(
    "knows each reply and each call as the journal has them",
    [replies, stays, Schema.Literals([3, 16, 1024])],
    ([said, visits, capacity]) =>
      Effect.gen(function* () {
        const { sessionId } = yield* RuntimeSession.create({
          name: "tester",
          user: "ada",
          workspaceRoot: "/nowhere",
          channel: "test"
        })
        const eventLog = EventLog.make(sessionId, capacity)
        const store = yield* SessionStore.SessionStore
        const agent = World.agentOf(World.makeWorld(), { limits: { ...Agent.defaultLimits, maxSteps: 1000 } })
        const channel = World.channelOf([], null)
        const session = yield* World.openWith({ agent, channel, model: talkative(said), eventLog, sessionId })
        const reader = yield* Effect.forkChild(follow(session.sessionId, eventLog, visits))
        yield* session.run(World.say("go"))
        const { calls, gaps, texts } = yield* Fiber.join(reader)
        const entries = yield* store.entries(session.sessionId, 0, 10_000)
        for (const { body } of entries) {
          if (body._tag === "ModelReplied") {
            const text = body.parts.flatMap((part) => (part._tag === "Text" ? [part.text] : [])).join("")
            const read = texts.get(body.step) ?? ""
            // The journal has the text of a gap when the step has ended; all else has come complete.
            if (!gaps.has(body.step)) assert.strictEqual(read, text, `step ${body.step}`)
          }
          if (body._tag === "CallEnded") assert.strictEqual(calls.get(body.toolCallId), 1, body.toolCallId)
        }
        if (capacity === 1024) assert.strictEqual(gaps.size, 0)
      }).pipe(Effect.scoped, Effect.provide(World.stores)),
    { arbitrary: { runs: 60, size: 12 } }
  )
})

const isEnd = (item: EventStream.Item): boolean => item._tag === "Published" && item.event._tag === "TurnEnded"

/** Reads some events, disconnects, reconnects at its position, until the turn has ended. */
const follow = Effect.fnUntraced(function* (
  sessionId: Session.SessionId,
  log: EventLog.EventLog,
  visits: typeof stays.Type
) {
  const store = yield* SessionStore.SessionStore
  const texts = new Map<number, string>()
  const calls = new Map<string, number>()
  /** Steps of which the reader may have missed text. */
  const gaps = new Set<number>()
  let entries = yield* store.entries(sessionId, 0, 0)
  let after: EventStream.Position | null = null
  const seen = { end: false }
  let lastStep = 0
  const readJournal = Effect.gen(function* () {
    entries = yield* store.entries(sessionId, 0, 10_000)
    calls.clear()
    texts.clear()
    for (const { body } of entries) {
      if (body._tag === "CallEnded") calls.set(body.toolCallId, 1)
      if (body._tag === "StepStarted") lastStep = body.step
      if (body._tag !== "ModelReplied") continue
      texts.set(body.step, body.parts.flatMap((part) => (part._tag === "Text" ? [part.text] : [])).join(""))
    }
  })
  for (let visit = 0; !seen.end; visit++) {
    const { away, count } = visits[visit % visits.length]
    for (let turn = 0; turn < away; turn++) yield* Effect.yieldNow
    const some = log.read(after).pipe(Stream.take(count), Stream.takeUntil(isEnd))
    yield* Stream.runForEach(some, (item) =>
      Effect.gen(function* () {
        const isFirst = after === null
        after = { epoch: item.epoch, number: item.number }
        if (item._tag === "Gap") {
          yield* readJournal
          // The first one is before all events, unless some have been sent already.
          if (!isFirst || item.number > 0) for (const step of [lastStep, lastStep + 1]) gaps.add(step)
          return
        }
        if (entries.some((entry) => EventStream.isTold(item, entry))) return
        const { event } = item
        if (event._tag === "TextDelta") texts.set(event.step, (texts.get(event.step) ?? "") + event.text)
        const body = event._tag === "Recorded" ? event.entry.body : null
        if (body?._tag === "CallEnded") calls.set(body.toolCallId, (calls.get(body.toolCallId) ?? 0) + 1)
        seen.end = isEnd(item)
      })
    )
  }
  return { texts, calls, gaps }
})

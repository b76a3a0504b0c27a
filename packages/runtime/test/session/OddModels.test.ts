/**
 * Models that violate the port's contract: their reports are checked at the boundary, so that the session opens again,
 * no budget grows, and limits hold if a provider reports no usage.
 */
import { Entry, type Event, Usage } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Agent, type Model, Prompt, SessionState, SessionStore } from "../../src/index.ts"
import * as World from "./world.ts"

const decode = Schema.decodeUnknownSync(Entry.Body, { onExcessProperty: "error" })

const end = {
  _tag: "End",
  reason: "stop",
  inputTokens: 10,
  cachedInputTokens: 0,
  outputTokens: 5,
  costUsd: 0.01
} as const

type Reported = Readonly<Record<"inputTokens" | "cachedInputTokens" | "outputTokens" | "costUsd", unknown>>

/** A model of a host, unchecked. */
const odd = (replies: ReadonlyArray<ReadonlyArray<unknown>>, rest: Partial<Model.Model["Service"]> = {}) => {
  let askCount = 0
  return {
    name: "odd/model",
    contextTokens: null,
    priced: true,
    stream: () =>
      Stream.fromIterable(replies[Math.min(askCount++, replies.length - 1)] as ReadonlyArray<Model.ModelPart>),
    ...rest
  } satisfies Model.Model["Service"]
}

const begin = (model: Model.Model["Service"], limits: Partial<Agent.Limits> = {}) =>
  Effect.gen(function* () {
    const events: Array<Event.Event> = []
    const session = yield* World.openWith({
      agent: World.agentOf(World.makeWorld(), { limits: { ...Agent.defaultLimits, ...limits } }),
      model,
      channel: World.channelOf(events, null)
    })
    const store = yield* SessionStore.SessionStore
    const entries = Effect.suspend(() => store.entries(session.sessionId, 0, 10_000))
    return {
      session,
      entries,
      notices: () => events.flatMap((event) => (event._tag === "Notice" ? [event.message] : []))
    }
  })

const run = <A, E>(body: Effect.Effect<A, E, World.Needs>) => Effect.scoped(body).pipe(Effect.provide(World.stores))

const spentOf = (entries: ReadonlyArray<Entry.Entry>) => {
  const state = SessionState.empty()
  for (const entry of entries) SessionState.append(state, entry)
  return SessionState.totalSpent(state)
}

const values: ReadonlyArray<unknown> = [-5, 1.5, NaN, Infinity, 1e300, 2 ** 53, "12", true, {}, [], -0.1, 10n]
const fields = ["inputTokens", "cachedInputTokens", "outputTokens", "costUsd"] as const

describe("A model's report", () => {
  it.effect.each(fields)("is stored as a count or as unknown: %s", (field) =>
    Effect.forEach(values, (value) =>
      run(
        Effect.gen(function* () {
          const isCost = field === "costUsd" && (value === 1.5 || value === 1e300 || value === 2 ** 53)
          const usage: Reported = { ...end, [field]: value }
          const { entries, notices, session } = yield* begin(
            odd([
              [
                { _tag: "Text", text: "hi" },
                { ...end, ...usage }
              ]
            ])
          )
          yield* session.run(World.say("one"))
          yield* session.run(World.say("two"))
          const stored = yield* entries
          for (const { body } of stored) assert.doesNotThrow(() => decode(JSON.parse(JSON.stringify(body))))
          const spent = spentOf(stored)
          assert.isTrue(Number.isSafeInteger(spent.inputTokens) && spent.inputTokens >= 0)
          assert.isTrue(Number.isSafeInteger(spent.outputTokens) && spent.outputTokens >= 0)
          assert.isTrue(spent.costUsd === null || spent.costUsd >= 0)
          assert.lengthOf(
            notices().filter((notice) => notice.includes("counts as not reported")),
            isCost ? 0 : 1
          )
        })
      )
    )
  )

  it("refunds nothing", () => {
    assert.deepStrictEqual([Usage.plusCost(-5, 1), Usage.plusCost(2, -5), Usage.plusCost(null, 1)], [1, 2, null])
  })

  it.effect("is not a measure of the prompt if the provider did not report it", () =>
    run(
      Effect.gen(function* () {
        const silence = { ...end, inputTokens: 0, outputTokens: 0 }
        const treeBudget = { ...Agent.defaultLimits.treeBudget, inputTokens: 100_000 }
        const { entries, session } = yield* begin(odd([[{ _tag: "Text", text: "hi" }, silence]]), { treeBudget })
        yield* session.run(World.say("go"))
        const prompt = Prompt.empty()
        for (const entry of yield* entries) Prompt.append(prompt, entry)
        assert.isNull(prompt.reported)
      })
    )
  )

  it.effect("sums to no more than a number can represent", () =>
    run(
      Effect.gen(function* () {
        const most = {
          ...end,
          inputTokens: Number.MAX_SAFE_INTEGER,
          outputTokens: Number.MAX_SAFE_INTEGER,
          costUsd: 1e308
        }
        const { entries, session } = yield* begin(odd([[{ _tag: "Text", text: "hi" }, most]]))
        for (const text of ["one", "two", "three"]) yield* session.run(World.say(text))
        const spent = spentOf(yield* entries)
        assert.deepStrictEqual(
          [spent.inputTokens, spent.outputTokens, spent.costUsd],
          [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE]
        )
      })
    )
  )
})

const malformed: ReadonlyArray<readonly [string, unknown]> = [
  ["null", null],
  ["text", "hi"],
  ["text of a number", { _tag: "Text", text: 5 }],
  ["reasoning without text", { _tag: "Reasoning" }],
  ["a call whose name is an object", { _tag: "ToolCallStart", callId: "a", name: {} }],
  ["a call without an id", { _tag: "ToolCallStart", name: "look" }],
  ["arguments that are an object", { _tag: "ToolCallArguments", callId: "a", text: { key: "a" } }]
]

describe("A stream that cannot be parsed", () => {
  it.effect.each(malformed)("fails with a typed error, runs nothing and leaves the session intact: %s", ([, part]) =>
    run(
      Effect.gen(function* () {
        const call = { _tag: "ToolCallStart", callId: "x", name: "append" }
        const { entries, session } = yield* begin(
          odd([
            [call, part, end],
            [{ _tag: "Text", text: "well" }, end]
          ])
        )
        const error = yield* Effect.flip(session.run(World.say("one")))
        assert.deepInclude(error, { _tag: "ModelError", reason: "BadResponse" })
        assert.strictEqual((yield* session.run(World.say("two"))).text, "well")
        for (const { body } of yield* entries) assert.doesNotThrow(() => decode(JSON.parse(JSON.stringify(body))))
      })
    )
  )

  it.effect("is read past unknown parts, odd reasons, duplicate or missing ids, and parts after the end", () =>
    run(
      Effect.gen(function* () {
        const calls = ["", "a", "a", ""].flatMap((callId, index) => [
          { _tag: "ToolCallStart", callId, name: "look" },
          { _tag: "ToolCallArguments", callId, text: `{"key":"${index}"}`, signature: 5 }
        ])
        const odder = [
          { _tag: "Image", data: "x" },
          ...calls,
          { ...end, reason: "tired" },
          { _tag: "Text", text: "late" }
        ]
        const { entries, session } = yield* begin(odd([odder, [{ _tag: "Text", text: "half \ud800" }, end]]))
        assert.strictEqual((yield* session.run(World.say("go"))).text, "half \ufffd")
        const stored = (yield* entries).map(({ body }) => body)
        const [asked] = stored.flatMap((body) => (body._tag === "ModelReplied" ? [body.parts] : []))
        const ids = asked.flatMap((part) => (part._tag === "ToolCall" ? [part.providerCallId] : []))
        assert.deepStrictEqual([ids.length, new Set(ids).size, ids.includes("")], [4, 4, false])
        assert.isFalse(asked.some((part) => part._tag === "Text"))
        const ended = stored.flatMap((body) => (body._tag === "CallEnded" ? [body.outcome._tag] : []))
        assert.deepStrictEqual(ended, ["Succeeded", "Succeeded", "Succeeded", "Succeeded"])
      })
    )
  )
})

const silent = { ...end, inputTokens: 0, outputTokens: 0, costUsd: 0 }
const prices = { inputPerMillionUsd: 1000, outputPerMillionUsd: 1000 }

/** A provider that reports one token for each prompt and reply. */
const tiny = { ...end, inputTokens: 1, outputTokens: 1, costUsd: 1e-9 }

describe("A limit, if the provider reports no usage, or far too little", () => {
  const thought = "thinking ".repeat(60)
  const looks = [
    { _tag: "Text", text: thought },
    { _tag: "ToolCallStart", callId: "a", name: "look" },
    { _tag: "ToolCallArguments", callId: "a", text: "" }
  ]

  type Limited = readonly [string, Partial<Agent.Limits["treeBudget"]>, number | null]

  const limits: ReadonlyArray<Limited> = [
    ["input tokens", { inputTokens: 20_000 }, null],
    ["output tokens", { outputTokens: 3000 }, null],
    ["money", {}, 20]
  ]

  const cases = limits.flatMap(([name, ...limit]) => [
    [`${name}, unreported`, silent, ...limit] as const,
    [`${name}, reported as 1`, tiny, ...limit] as const
  ])

  it.effect.each(cases)("holds: %s", ([, reported, given, maxCostUsd]) =>
    run(
      Effect.gen(function* () {
        let sent = 0
        let replies = 0
        let count = 0
        const model = odd([], {
          ...prices,
          stream: ({ messages }) => {
            sent += JSON.stringify(messages).length / 4
            replies += thought.length / 4
            const [text, start, args] = looks
            const key = { ...args, text: JSON.stringify({ key: String(count++) }) }
            return Stream.fromIterable([text, start, key, reported] as ReadonlyArray<Model.ModelPart>)
          }
        })
        const { entries, notices, session } = yield* begin(model, {
          maxSteps: 500,
          maxCostUsd,
          treeBudget: { ...Agent.defaultLimits.treeBudget, ...given }
        })
        const result = yield* session.run(World.say("go"))
        assert.strictEqual(result.status, "spent")
        assert.isAtMost(sent, given.inputTokens ?? Infinity)
        assert.isAtMost(replies, given.outputTokens ?? Infinity)
        if (maxCostUsd !== null) assert.isAtMost(((sent + replies) * 1000) / 1_000_000, maxCostUsd)
        assert.isAbove(count, 2)
        assert.lengthOf(
          notices().filter((notice) => notice.includes("does not report all tokens")),
          1
        )
        const spent = spentOf(yield* entries)
        assert.isAtLeast(given.outputTokens === undefined ? spent.inputTokens : spent.outputTokens, 1)
      })
    )
  )

  const texts: ReadonlyArray<readonly [string, string]> = [
    ["prose", "The session waits until the user has decided about the call. ".repeat(40)],
    ["Chinese", "会话等待用户对调用作出决定。".repeat(60)],
    ["a row of one character", "=".repeat(256)]
  ]

  it.effect.each(texts)("believes the counts of a tokenizer: %s", ([, text]) =>
    run(
      Effect.gen(function* () {
        const outputTokens = text.startsWith("=") ? 4 : Math.ceil(text.length / 5)
        const { entries, notices, session } = yield* begin(
          odd([
            [
              { _tag: "Text", text },
              { ...end, inputTokens: 2000, outputTokens }
            ]
          ]),
          { treeBudget: { ...Agent.defaultLimits.treeBudget, inputTokens: 100_000, outputTokens: 100_000 } }
        )
        yield* session.run(World.say(text))
        const [replied] = (yield* entries).flatMap(({ body }) => (body._tag === "ModelReplied" ? [body] : []))
        assert.deepInclude(replied.usage, { inputTokens: 2000, outputTokens })
        assert.isUndefined(replied.unreported)
        assert.deepStrictEqual(notices(), [])
      })
    )
  )

  it.effect("records that a count was too low, and does not estimate the next prompt by it", () =>
    run(
      Effect.gen(function* () {
        const text = "thinking ".repeat(400)
        const model = odd([[{ _tag: "Text", text }, tiny]])
        const { entries, session } = yield* begin(model, {
          treeBudget: { ...Agent.defaultLimits.treeBudget, inputTokens: 100_000 }
        })
        yield* session.run(World.say("go"))
        yield* session.run(World.say("on"))
        const stored = (yield* entries).map(({ body }) => body)
        const replied = stored.flatMap((body) => (body._tag === "ModelReplied" ? [body] : []))
        assert.isTrue(
          replied.every(({ unreported, usage }) => unreported === true && usage.outputTokens > text.length / 8)
        )
        const reserved = stored.flatMap((body) => (body._tag === "StepStarted" ? [body.reservedTokens] : []))
        assert.isAbove(reserved[1] - reserved[0], text.length)
        const prompt = Prompt.empty()
        for (const entry of yield* entries) Prompt.append(prompt, entry)
        assert.isNull(prompt.reported)
      })
    )
  )

  it.effect("without a limit no unreported usage is counted", () =>
    run(
      Effect.gen(function* () {
        const { entries, notices, session } = yield* begin(odd([[{ _tag: "Text", text: "hi" }, silent]]))
        yield* session.run(World.say("go"))
        assert.deepInclude(spentOf(yield* entries), { inputTokens: 0, outputTokens: 0 })
        assert.deepStrictEqual(notices(), [])
      })
    )
  )
})

/** Conversations that grow past their model's window: summarised, resumed, stopped if that does not help. */
import type { Entry, Event } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import { thoroughOnly } from "../../../../test/thorough.ts"
import { Fork, type Model, type Session, SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as Crash from "./crash.ts"
import * as World from "./world.ts"

const contextTokens = 10_000
const long = "a long value ".repeat(800)
const near = { inputTokens: 9000 }

const look = (key: string, usage?: Reply.Usage) => Reply.toolCall("look", { key }, usage)

const begin = Effect.fnUntraced(function* (
  steps: ReadonlyArray<ScriptedModel.Step | Reply.Reply>,
  options: ScriptedModel.ScriptedModelOptions = { contextTokens }
) {
  const world = World.makeWorld()
  world.values.set("long", long)
  const scripted = yield* ScriptedModel.make(steps, options)
  const events: Array<Event.Event> = []
  const agent = World.agentOf(world, {
    prompt: { instructions: [{ source: "AGENTS.md", text: "be kind" }] }
  })
  const session = yield* World.openSession({ agent, scripted, channel: World.channelOf(events, null) })
  return { scripted, events, session }
})

const entriesOf = Effect.fnUntraced(function* (session: Session.Session) {
  const store = yield* SessionStore.SessionStore
  return yield* store.entries(session.sessionId, 0, 1000)
})

const compactedOf = (session: Session.Session) =>
  Effect.map(entriesOf(session), (entries) => entries.flatMap(({ body }) => (body._tag === "Compacted" ? [body] : [])))

const run = <A, E>(body: Effect.Effect<A, E, World.Needs>) => Effect.scoped(body).pipe(Effect.provide(World.stores))

const textsOf = ({ messages }: Model.Prompt): ReadonlyArray<string> =>
  messages.map((message) =>
    message._tag === "Assistant" ? message.parts.map(({ _tag }) => _tag).join() : JSON.stringify(message)
  )

/** The request for a summary of a transcript has no text in common with the conversation. */
const isTranscript = ({ messages, tools }: Model.Prompt): boolean =>
  tools.length === 0 && JSON.stringify(messages).includes("<conversation>")

describe("Compaction", () => {
  it.effect("near the window a summary replaces the older part, and the newest step stays", () =>
    run(
      Effect.gen(function* () {
        const { events, scripted, session } = yield* begin([
          look("long"),
          look("b", near),
          Reply.before([Reply.reasoning("hm")], Reply.text("looked at the long value")),
          Reply.text("done")
        ])
        const result = yield* session.run(World.say("find it, and touch nothing else"))
        yield* scripted.script.assertDone
        assert.strictEqual(result.text, "done")
        const [, second, summarising, last] = yield* scripted.script.prompts
        assert.strictEqual(summarising.system, second.system)
        assert.deepStrictEqual(summarising.tools, second.tools)
        assert.deepStrictEqual(summarising.messages.slice(0, second.messages.length), second.messages)
        assert.strictEqual(summarising.cacheKey, second.cacheKey)
        assert.match(textsOf(summarising).at(-1) ?? "", /call no tool.*\[2\] person: find it, and touch nothing else/u)
        assert.notInclude(textsOf(summarising).at(-1), "be kind")
        assert.strictEqual(last.system, second.system)
        assert.deepStrictEqual(last.tools.slice(0, second.tools.length), second.tools)
        assert.deepStrictEqual(
          last.tools.slice(second.tools.length).map(({ name }) => name),
          ["read_earlier"]
        )
        const [instructions, summary, call, answer, ...rest] = last.messages
        assert.deepStrictEqual(instructions, second.messages[0])
        const read = summary._tag === "User" ? summary.text : ""
        assert.match(read, /looked at the long value[\s\S]*find it, and touch nothing else/)
        assert.deepStrictEqual([call._tag, answer._tag, rest.length], ["Assistant", "ToolResult", 0])
        const streamed = events.flatMap((event) => (event._tag === "TextDelta" ? [event.text] : []))
        assert.deepStrictEqual(streamed, ["done"])
        assert.strictEqual(result.usage.inputTokens, 10 + 9000 + 10 + 10)
      })
    )
  )

  it.effect("a transcript is summarised instead if the model calls a tool", () =>
    run(
      Effect.gen(function* () {
        const { scripted, session } = yield* begin([
          look("long"),
          look("b", near),
          Reply.before("first", look("a")),
          Reply.text("a summary"),
          Reply.text("done")
        ])
        assert.strictEqual((yield* session.run(World.say("go"))).text, "done")
        yield* scripted.script.assertDone
        assert.isTrue(isTranscript((yield* scripted.script.prompts)[3]))
      })
    )
  )

  it.effect("the entries after a summary are only appended, so that the provider's cache of it stays valid", () =>
    run(
      Effect.gen(function* () {
        const { scripted, session } = yield* begin([
          look("long"),
          look("b", near),
          Reply.text("a summary"),
          look("c"),
          Reply.text("done"),
          Reply.text("done again")
        ])
        yield* session.run(World.say("go"))
        yield* session.run(World.say("and?"))
        yield* scripted.script.assertDone
        const after = (yield* scripted.script.prompts).slice(3)
        assert.strictEqual(after.length, 3)
        for (const [index, prompt] of after.slice(1).entries()) {
          assert.deepStrictEqual(prompt.messages.slice(0, after[index].messages.length), after[index].messages)
          assert.deepStrictEqual(prompt.tools, after[index].tools)
          assert.strictEqual(prompt.system, after[index].system)
        }
      })
    )
  )

  it.effect("without a known window a conversation of any size is sent unchanged", () =>
    run(
      Effect.gen(function* () {
        const { scripted, session } = yield* begin([look("long"), look("b", near), Reply.text("done")], {})
        const result = yield* session.run(World.say("go"))
        yield* scripted.script.assertDone
        assert.strictEqual(result.status, "completed")
        assert.deepStrictEqual(yield* compactedOf(session), [])
      })
    )
  )

  it.effect("a prompt that the model finds too long is summarised and sent again", () =>
    run(
      Effect.gen(function* () {
        const { scripted, session } = yield* begin(
          [look("long"), look("b"), Reply.error("TooLong"), Reply.text("a summary"), Reply.text("done")],
          {}
        )
        const result = yield* session.run(World.say("go"))
        yield* scripted.script.assertDone
        assert.strictEqual(result.text, "done")
        assert.strictEqual((yield* compactedOf(session)).length, 1)
        assert.isTrue(isTranscript((yield* scripted.script.prompts)[3]))
      })
    )
  )

  it.effect("a single overlong message fails with the model's error, and nothing is summarised", () =>
    run(
      Effect.gen(function* () {
        const { scripted, session } = yield* begin([Reply.error("TooLong")], {})
        const error = yield* Effect.flip(session.run(World.say(long)))
        yield* scripted.script.assertDone
        assert.strictEqual(error._tag === "ModelError" ? error.reason : error._tag, "TooLong")
      })
    )
  )

  it.effect("summaries that leave the prompt too long for the model stop the turn after the second", () =>
    run(
      Effect.gen(function* () {
        const { scripted, session } = yield* begin(
          [
            look("long"),
            look("b"),
            look("c"),
            Reply.error("TooLong"),
            Reply.text("a summary"),
            Reply.error("TooLong"),
            Reply.text("another")
          ],
          {}
        )
        const result = yield* session.run(World.say("go"))
        yield* scripted.script.assertDone
        assert.strictEqual(result.status, "stopped")
        assert.match(result.reason, /after two summaries: start a new session/)
        assert.strictEqual((yield* compactedOf(session)).length, 2)
      })
    )
  )

  for (const [name, reply] of [
    ["cut", Reply.cut(Reply.text("half a"))],
    ["ended by its length", [{ _tag: "Text", text: "half a" }, Reply.end("length")]],
    ["empty", Reply.text("  ")],
    ["a call", Reply.before("first", look("a"))],
    ["a call that is said to be the end", Reply.before("first", [...look("a").slice(0, -1), Reply.end("stop")])],
    ["longer than what it is of", Reply.text("x".repeat(2 * long.length))]
  ] satisfies ReadonlyArray<readonly [string, Reply.Reply]>) {
    it.effect(`two summaries that are ${name} stop the turn, and the conversation stays complete`, () =>
      run(
        Effect.gen(function* () {
          const { scripted, session } = yield* begin([look("long"), look("b", near), reply, reply])
          const result = yield* session.run(World.say("go"))
          yield* scripted.script.assertDone
          assert.strictEqual(result.status, "stopped")
          assert.match(result.reason, /after two summaries/)
          assert.deepStrictEqual(yield* compactedOf(session), [])
          const ends = (yield* entriesOf(session)).filter(({ body }) => body._tag === "CallEnded")
          assert.strictEqual(ends.length, 2)
        })
      )
    )
  }

  it.effect("one pass that fails is followed by another, which keeps only the newest step", () =>
    run(
      Effect.gen(function* () {
        const { scripted, session } = yield* begin([
          look("long"),
          look("b"),
          look("c", near),
          Reply.text(""),
          Reply.text("a summary"),
          Reply.text("done")
        ])
        const result = yield* session.run(World.say("go"))
        yield* scripted.script.assertDone
        assert.strictEqual(result.text, "done")
        assert.strictEqual((yield* scripted.script.prompts)[5].messages.length, 4)
      })
    )
  )

  it.effect("summarised entries can be read again word for word", () =>
    run(
      Effect.gen(function* () {
        const { scripted, session } = yield* begin([
          look("long"),
          look("b", near),
          Reply.text("a summary"),
          Reply.toolCall("read_earlier", { from: 0, count: 20 }),
          Reply.text("done")
        ])
        yield* session.run(World.say("go and find it"))
        const [{ throughSeq }] = yield* compactedOf(session)
        const answer = (yield* scripted.script.prompts)[4].messages.at(-1)
        const output = answer?._tag === "ToolResult" ? answer.output : ""
        const read = [...output.matchAll(/^\[(\d+)\] (.*):\n(.*)$/gm)]
        const inRange = read.filter(([, entry]) => Number(entry) <= throughSeq)
        assert.deepStrictEqual(
          inRange.map(([, , from, text]) => [from, text]),
          [
            ["instructions AGENTS.md", "be kind"],
            ["person", "go and find it"],
            ["agent", '[call look] {"key":"long"}'],
            ["result of look", JSON.stringify({ value: long })]
          ]
        )
      })
    )
  )

  it.effect("a fork reads the summary in place of the entries that it copied", () =>
    run(
      Effect.gen(function* () {
        const { scripted, session } = yield* begin([
          Reply.toolCall("append", { line: long }),
          Reply.toolCall("launch", { target: "moon" }, near),
          Reply.text("a summary"),
          Reply.text("done")
        ])
        assert.strictEqual((yield* session.run(World.say("go"))).status, "suspended")
        yield* scripted.script.assertDone
        const store = yield* SessionStore.SessionStore
        const forkId = yield* Fork.fork(session.sessionId, null)
        const copies = yield* store.entries(forkId, 0, 1000)
        const range = copies.flatMap(({ body }) => (body._tag === "Compacted" ? [body] : []))[0]
        const first = copies[range.throughSeq + 1]
        assert.isTrue(first.body._tag === "ModelReplied" && first.body.parts.some(({ _tag }) => _tag === "ToolCall"))
        assert.isTrue(
          copies.slice(range.throughSeq + 1).some(({ body }) => body._tag === "CallEnded" && body.tool === "launch")
        )
        assert.isFalse(copies.slice(0, range.throughSeq + 1).some(({ body }) => body._tag === "CallDeferred"))
      })
    )
  )

  it.effect("runs at a user's request too, in a window of any size, and opens no turn", () =>
    run(
      Effect.gen(function* () {
        const { scripted, session } = yield* begin(
          [look("long"), Reply.text("seen"), Reply.text("a summary of it"), Reply.text("going on")],
          {}
        )
        const { isShorter: wasShorter, usage: used } = yield* session.compact()
        assert.deepStrictEqual([wasShorter, used], [false, null])
        yield* session.run(World.say("look"))
        const { isShorter, tokens, usage } = yield* session.compact("the colours")
        assert.deepStrictEqual([isShorter, usage?.inputTokens], [true, 10])
        assert.isBelow(tokens.after, tokens.before)
        const summaryPrompt = (yield* scripted.script.prompts).at(-1) ?? assert.fail("no summary was asked for")
        assert.match(JSON.stringify(summaryPrompt.messages.at(-1)), /keep above all: the colours/u)
        assert.isFalse(yield* session.hasOpenTurn)
        yield* session.run(World.say("and now"))
        yield* scripted.script.assertDone
        const last = (yield* scripted.script.prompts).at(-1) ?? assert.fail("nothing was asked")
        assert.include(JSON.stringify(last.messages), "a summary of it")
        assert.notInclude(JSON.stringify(last.messages), "a long value a long value")
      })
    )
  )

  it.effect(
    "killed at any write around a summary, it continues with everything it had",
    () =>
      Effect.gen(function* () {
        const whole = yield* killedAt(0, "before")
        assert.isAbove(whole, 8)
        for (let at = 1; at <= whole; at++) {
          yield* killedAt(at, "before")
          yield* killedAt(at, "after")
        }
      }),
    thoroughOnly
  )
})

/** Answers by its prompt: calls until it has seen both results or a summary of them. */
const steady: Model.Model["Service"] = {
  name: "test/steady",
  contextTokens,
  priced: false,
  stream: ({ messages }) => {
    const last = messages.at(-1)
    const reply = (): Reply.Reply => {
      if (last?._tag === "User" && last.text.startsWith("Stop the task here")) return Reply.text("summary: saw long")
      if (JSON.stringify(messages).includes("summary: saw long")) return Reply.text("all done")
      return messages.some(({ _tag }) => _tag === "Assistant") ? look("b", near) : look("long")
    }
    return Stream.fromIterable(
      reply().flatMap((piece) =>
        piece._tag === "Pause" || piece._tag === "Hang" || piece._tag === "Fail" ? [] : [piece]
      )
    )
  }
}

const killedAt = (at: number, when: Crash.When) =>
  Effect.gen(function* () {
    const inner = yield* SessionStore.SessionStore
    const world = World.makeWorld()
    world.values.set("long", long)
    const attempt = (store: SessionStore.SessionStore["Service"], sessionId: string | null) =>
      Effect.gen(function* () {
        const session = yield* World.openWith({
          agent: World.agentOf(world),
          model: steady,
          channel: World.channelOf([], null),
          sessionId
        })
        const resumed = yield* session.resume
        const entries = yield* store.entries(session.sessionId, 0, 1000)
        if (resumed !== null) return resumed.text
        return entries.some(({ body }) => body._tag === "UserMessage")
          ? "all done"
          : (yield* session.run(World.say("go"))).text
      }).pipe(Effect.scoped, Effect.provideService(SessionStore.SessionStore, store))
    const crashing = Crash.make(inner, at, when)
    const first = yield* Effect.exit(attempt(crashing.store, null))
    if (!crashing.isDead()) {
      assert.isTrue(Exit.isSuccess(first))
      return crashing.writes()
    }
    yield* crashing.bury
    const known = (yield* inner.list({ workspaceRoot: null, limit: 1 }))[0]
    const before = known === undefined ? [] : yield* inner.entries(known.sessionId, 0, 1000)
    const name = `${when} write ${at}`
    assert.strictEqual(yield* attempt(inner, known?.sessionId ?? null), "all done", name)
    const session = (yield* inner.list({ workspaceRoot: null, limit: 1 }))[0]
    const after = yield* inner.entries(session.sessionId, 0, 1000)
    assert.deepStrictEqual(after.slice(0, before.length), before, name)
    const count = (tag: string) => after.filter(({ body }) => body._tag === tag).length
    assert.strictEqual(count("Compacted"), 1, name)
    assert.strictEqual(count("CallEnded"), after.flatMap(callsIn).length, name)
    return crashing.writes()
  }).pipe(Effect.provide(World.stores))

const callsIn = ({ body }: Entry.Entry) =>
  body._tag === "ModelReplied" ? body.parts.filter(({ _tag }) => _tag === "ToolCall") : []

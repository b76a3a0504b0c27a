/**
 * Replies that are larger than any model's, and replies that end before they are complete: none of their calls is run.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { chosenOf, thorough } from "../../../../test/thorough.ts"
import { ReplyBounds, SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "./world.ts"

const run = <A, E>(body: Effect.Effect<A, E, SessionStore.SessionStore | World.Needs>) =>
  Effect.scoped(body).pipe(Effect.provide(World.stores))

const begin = Effect.fnUntraced(function* (steps: ReadonlyArray<Reply.Reply>) {
  const world = World.makeWorld()
  const scripted = yield* ScriptedModel.make(steps)
  const session = yield* World.openSession({
    agent: World.agentOf(world, {}),
    scripted,
    channel: World.channelOf([], null)
  })
  return { world, scripted, session }
})

const appends = (count: number): Reply.Reply =>
  Reply.toolCalls(Array.from({ length: count }, (_, line) => ({ name: "append", arguments: { line: `${line}` } })))

const piece = "x".repeat(1024 * 1024)
const repeated = (part: Reply.Reply[number], count: number): Reply.Reply => [
  ...Array.from({ length: count }, () => part),
  Reply.end("stop")
]

describe("ReplyBounds", () => {
  // Made by the test that needs them: millions of live parts would slow the files after this one.
  const oversized = [
    ["text", () => repeated({ _tag: "Text", text: piece }, 5), /characters/],
    ["reasoning", () => repeated({ _tag: "Reasoning", text: piece }, 5), /characters/],
    ["signatures", () => repeated({ _tag: "Reasoning", text: "", signature: piece }, 5), /characters/],
    ["arguments of one call", () => Reply.toolCall("append", { line: piece.repeat(5) }), /characters/],
    ["names of tools", () => repeated({ _tag: "ToolCallStart", callId: "#1", name: piece }, 5), /characters/],
    ["calls", () => appends(ReplyBounds.maxCalls + 1), /more than 64 calls/],
    ["parts that say nothing", () => repeated({ _tag: "Text", text: "" }, ReplyBounds.maxCharacters), /characters/]
  ] as const

  // The last one has five million parts.
  it.effect.each(chosenOf(oversized, (index) => index < oversized.length - 1))(
    "an oversized reply is cut off: %s",
    ([_, reply, why]) =>
      run(
        Effect.gen(function* () {
          const { session, world } = yield* begin([reply(), Reply.text("again")])
          const failure = yield* Effect.flip(session.run(World.say("hi")))
          assert.strictEqual(failure._tag === "ModelError" ? failure.reason : failure._tag, "StreamCut")
          assert.match(failure.message, why)
          assert.deepStrictEqual(world.log, [])
          const store = yield* SessionStore.SessionStore
          const replied = (yield* store.entries(session.sessionId, 0, 100)).flatMap(({ body }) =>
            body._tag === "ModelReplied" ? [body] : []
          )
          assert.deepStrictEqual(
            replied.map(({ completion, parts }) => [completion, parts.every(({ _tag }) => _tag === "Text")]),
            [["interrupted", true]]
          )
          assert.isAtMost(JSON.stringify(replied).length, ReplyBounds.maxCharacters + 1024)
          // The session continues.
          assert.strictEqual((yield* session.run(World.say("once more"))).text, "again")
        })
      ),
    thorough
  )

  it.effect("the stream of such a reply is closed", () =>
    run(
      Effect.gen(function* () {
        let closed = false
        const endless = Stream.ensuring(
          Stream.forever(Stream.make({ _tag: "Text", text: piece } as const)),
          Effect.sync(() => (closed = true))
        )
        const { scripted } = yield* begin([])
        const session = yield* World.openSession({
          agent: World.agentOf(World.makeWorld(), {}),
          scripted: { ...scripted, model: { ...scripted.model, stream: () => endless } },
          channel: World.channelOf([], null)
        })
        yield* Effect.flip(session.run(World.say("hi")))
        assert.isTrue(closed)
      })
    )
  )

  it.effect("the maximum number of calls runs", () =>
    run(
      Effect.gen(function* () {
        const { session, world } = yield* begin([appends(ReplyBounds.maxCalls), Reply.text("done")])
        assert.strictEqual((yield* session.run(World.say("hi"))).status, "completed")
        assert.lengthOf(world.log, ReplyBounds.maxCalls)
      })
    )
  )

  it.effect.each([
    ["length", /greatest length/],
    ["filtered", /filter/]
  ] as const)("complete calls of a reply that ended by %s are not run, and the model learns why", ([reason, why]) =>
    run(
      Effect.gen(function* () {
        const reply = [...appends(2).filter(({ _tag }) => _tag !== "End"), Reply.end(reason)]
        const { scripted, session, world } = yield* begin([reply, Reply.text("I see")])
        assert.strictEqual((yield* session.run(World.say("hi"))).text, "I see")
        assert.deepStrictEqual(world.log, [])
        const results = (yield* scripted.script.prompts)[1].messages.filter(({ _tag }) => _tag === "ToolResult")
        assert.lengthOf(results, 2)
        for (const result of results) assert.match(JSON.stringify(result), why)
      })
    )
  )
})

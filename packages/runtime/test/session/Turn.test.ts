/** Turns over a scripted model: their requests, calls, entries and results. */
import type { Entry, Event } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Journal, SessionState, SessionStore } from "../../src/index.ts"
import type { Session } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as SampleAgent from "../../src/testing/SampleAgent.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "./world.ts"

/** A session over `steps`, and the state to check afterwards. */
const begin = Effect.fnUntraced(function* (
  steps: ReadonlyArray<ScriptedModel.Step | Reply.Reply>,
  changes: (world: World.World) => SampleAgent.SampleParts = () => ({})
) {
  const world = World.makeWorld()
  const scripted = yield* ScriptedModel.make(steps)
  const events: Array<Event.Event> = []
  const channel = World.channelOf(events, null)
  const agent = World.agentOf(world, changes(world))
  const session = yield* World.openSession({ agent, scripted, channel })
  return { world, scripted, events, session }
})

const bodies = Effect.fnUntraced(function* (session: Session.Session) {
  const store = yield* SessionStore.SessionStore
  return (yield* store.entries(session.sessionId, 0, 1000)).map(({ body }) => body)
})

const tags = (session: Session.Session) => Effect.map(bodies(session), (all) => all.map(({ _tag }) => _tag))

const outcomes = (session: Session.Session) =>
  Effect.map(bodies(session), (all) =>
    all.flatMap((body): ReadonlyArray<Entry.Outcome> => (body._tag === "CallEnded" ? [body.outcome] : []))
  )

const run = <A, E>(body: Effect.Effect<A, E, SessionStore.SessionStore | World.Needs>) =>
  Effect.scoped(body).pipe(Effect.provide(World.stores))

describe("Turn", () => {
  it.effect("an answer without calls is one step, recorded in order", () =>
    run(
      Effect.gen(function* () {
        const { scripted, session } = yield* begin([Reply.text("hello")])
        const result = yield* session.run(World.say("hi"))
        assert.strictEqual(result.status, "completed")
        assert.strictEqual(result.text, "hello")
        assert.deepStrictEqual(yield* tags(session), ["SessionOpened", "UserMessage", "StepStarted", "ModelReplied"])
        yield* scripted.script.assertDone
      })
    )
  )

  it.effect("the next step reads the result of a call", () =>
    run(
      Effect.gen(function* () {
        const { scripted, session, world } = yield* begin([Reply.toolCall("look", { key: "a" }), Reply.text("it is 7")])
        world.values.set("a", "7")
        yield* session.run(World.say("what is a?"))
        const last = (yield* scripted.script.prompts)[1].messages.at(-1)
        assert.strictEqual(last?._tag, "ToolResult")
        assert.deepStrictEqual(JSON.parse((last as { readonly output: string }).output), { value: "7" })
      })
    )
  )

  it.effect("reads of one reply run in parallel, writes one after another", () =>
    run(
      Effect.gen(function* () {
        const reads = ["a", "b", "c"].map((key) => ({ name: "look", arguments: { key } }))
        const writes = ["1", "2", "3"].map((line) => ({ name: "append", arguments: { line } }))
        const first = yield* begin([Reply.toolCalls(reads), Reply.text("done")])
        yield* first.session.run(World.say("look"))
        assert.strictEqual(first.world.maxRunning, 3)
        const second = yield* begin([Reply.toolCalls(writes), Reply.text("done")])
        yield* second.session.run(World.say("write"))
        assert.strictEqual(second.world.maxRunning, 1)
        assert.deepStrictEqual(second.world.log, ["append 1", "append 2", "append 3"])
      })
    )
  )

  it.effect("no more handlers run at once than there are permits", () =>
    run(
      Effect.gen(function* () {
        const reads = Array.from({ length: 20 }, (_, index) => ({ name: "look", arguments: { key: `${index}` } }))
        const { session, world } = yield* begin([Reply.toolCalls(reads), Reply.text("done")])
        yield* session.run(World.say("look"))
        assert.strictEqual(world.maxRunning, 8)
      })
    )
  )

  it.effect("argument fragments of any sizes form one call", () =>
    run(
      Effect.gen(function* () {
        const calls = Reply.toolCalls([
          { name: "append", arguments: { line: "été" } },
          { name: "append", arguments: { line: "zwei" } }
        ])
        const { session, world } = yield* begin([Reply.fragmented(calls, [1, 3, 2]), Reply.text("done")])
        yield* session.run(World.say("go"))
        assert.deepStrictEqual(world.log, ["append été", "append zwei"])
      })
    )
  )

  it.effect("wrong arguments are returned with the field and the schema, and the third time ends the turn", () =>
    run(
      Effect.gen(function* () {
        const { scripted, session, world } = yield* begin([
          Reply.toolCall("append", { lin: "a" }),
          Reply.toolCall("append", { line: 3 }),
          Reply.toolCall("append", '{"line": ')
        ])
        const result = yield* session.run(World.say("go"))
        assert.strictEqual(result.status, "stopped")
        assert.match(result.reason, /append.*three times/)
        assert.deepStrictEqual(world.log, [])
        const answer = (yield* scripted.script.prompts)[1].messages.at(-1)
        assert.match((answer as { readonly output: string }).output, /line[\s\S]*JSON Schema/)
        yield* scripted.script.assertDone
      })
    )
  )

  it.effect("a valid call in between resets the count", () =>
    run(
      Effect.gen(function* () {
        const wrong = (n: number) => Reply.toolCall("append", { lin: n })
        const { session } = yield* begin([
          wrong(1),
          wrong(2),
          Reply.toolCall("append", { line: "ok" }),
          wrong(3),
          wrong(4),
          Reply.text("done")
        ])
        assert.strictEqual((yield* session.run(World.say("go"))).status, "completed")
      })
    )
  )

  it.effect("the same call three times in a row ends the turn before it runs again", () =>
    run(
      Effect.gen(function* () {
        const same = Reply.toolCall("append", { line: "x" })
        const { scripted, session, world } = yield* begin([same, same, same])
        const result = yield* session.run(World.say("go"))
        assert.strictEqual(result.status, "stopped")
        assert.match(result.reason, /same arguments/)
        assert.deepStrictEqual(world.log, ["append x", "append x"])
        yield* scripted.script.assertDone
      })
    )
  )

  it.effect("the step limit ends the turn, and the next message continues", () =>
    run(
      Effect.gen(function* () {
        const { session } = yield* begin(
          [Reply.toolCall("look", { key: "1" }), Reply.toolCall("look", { key: "2" }), Reply.text("on we go")],
          (world) => ({ limits: { ...World.agentOf(world).limits, maxSteps: 2 } })
        )
        const result = yield* session.run(World.say("go"))
        assert.strictEqual(result.status, "stopped")
        assert.match(result.reason, /step limit of 2/)
        assert.strictEqual((yield* session.run(World.say("more"))).text, "on we go")
      })
    )
  )

  it.effect("a cost limit that is spent ends the turn, and an unknown cost counts as spent", () =>
    run(
      Effect.gen(function* () {
        const limits = (world: World.World) => ({ limits: { ...World.agentOf(world).limits, maxCostUsd: 0.05 } })
        const known = yield* begin([Reply.toolCall("look", { key: "1" }, { costUsd: 0.06 })], limits)
        assert.strictEqual((yield* known.session.run(World.say("go"))).status, "spent")
        const unknown = yield* begin([Reply.toolCall("look", { key: "1" })], limits)
        assert.strictEqual((yield* unknown.session.run(World.say("go"))).status, "spent")
      })
    )
  )

  it.effect("a reply cut in the middle of a call runs nothing, and the turn can be resumed", () =>
    run(
      Effect.gen(function* () {
        const { session, world } = yield* begin([
          Reply.cut(Reply.before("I will", Reply.toolCall("append", { line: "x" }))),
          Reply.text("done")
        ])
        const error = yield* Effect.flip(session.run(World.say("go")))
        assert.strictEqual(error._tag, "ModelError")
        assert.deepStrictEqual(world.log, [])
        assert.isTrue(yield* session.hasOpenTurn)
        assert.strictEqual((yield* session.resume)?.text, "done")
      })
    )
  )

  it.effect("an interruption of a streaming reply keeps its text and leaves the session usable", () =>
    run(
      Effect.gen(function* () {
        const { scripted, session } = yield* begin([Reply.hang(Reply.text("half a")), Reply.text("again")])
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* TestClock.adjust(1)
        yield* Fiber.interrupt(fiber)
        const reply = (yield* bodies(session)).find((body) => body._tag === "ModelReplied")
        assert.strictEqual(reply?._tag === "ModelReplied" ? reply.completion : "", "interrupted")
        assert.isFalse(yield* session.hasOpenTurn)
        assert.strictEqual((yield* session.run(World.say("once more"))).text, "again")
        const words = (yield* scripted.script.prompts)[1].messages.flatMap((message) =>
          message._tag === "Assistant" ? message.parts : []
        )
        assert.deepStrictEqual(words, [{ _tag: "Text", text: "half a" }])
      })
    )
  )

  it.effect("an interrupted reply has an estimated cost, and the session's cost stays known", () =>
    run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        const scripted = yield* ScriptedModel.make([Reply.hang(Reply.text("half a"))])
        const prices = { priced: true, inputPerMillionUsd: 3, outputPerMillionUsd: 15 }
        const session = yield* World.openSession({
          agent: World.agentOf(world),
          scripted: { ...scripted, model: { ...scripted.model, ...prices } },
          channel: World.channelOf([], null)
        })
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* TestClock.adjust(1)
        yield* Fiber.interrupt(fiber)
        const reply = (yield* bodies(session)).find((body) => body._tag === "ModelReplied")
        if (reply?._tag !== "ModelReplied") return assert.fail("no reply is recorded")
        assert.isTrue(reply.estimated)
        const { inputTokens, outputTokens } = reply.usage
        assert.isAbove(inputTokens, 0)
        assert.strictEqual(reply.usage.costUsd, (inputTokens * 3 + outputTokens * 15) / 1_000_000)
        const store = yield* SessionStore.SessionStore
        const { state } = yield* Journal.load(store, session.sessionId)
        assert.isTrue(state.isEstimated)
        assert.strictEqual(SessionState.totalSpent(state).costUsd, reply.usage.costUsd)
      })
    )
  )

  it.effect("an interruption while a tool runs ends every call of the reply", () =>
    run(
      Effect.gen(function* () {
        const { session, world } = yield* begin([
          Reply.toolCalls([
            { name: "append", arguments: { line: "1" } },
            { name: "append", arguments: { line: "2" } }
          ]),
          Reply.text("fine")
        ])
        yield* world.gate.close
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* TestClock.adjust(1)
        yield* Fiber.interrupt(fiber)
        yield* world.gate.open
        assert.deepStrictEqual(
          (yield* outcomes(session)).map(({ _tag }) => _tag),
          ["Unknown", "NotRun"]
        )
        assert.strictEqual((yield* session.run(World.say("next"))).text, "fine")
        assert.deepStrictEqual(world.log, [])
      })
    )
  )

  it.effect("steering joins the running turn before its next step", () =>
    run(
      Effect.gen(function* () {
        const { scripted, session, world } = yield* begin([Reply.toolCall("append", { line: "1" }), Reply.text("ok")])
        yield* world.gate.close
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* TestClock.adjust(1)
        const pixel = { mediaType: "image/png", data: "iVBORw0KGgo=" }
        yield* session.steer("be quick")
        yield* session.steer("like this", [pixel])
        yield* world.gate.open
        assert.strictEqual((yield* Fiber.join(fiber)).status, "completed")
        const { messages } = (yield* scripted.script.prompts)[1]
        assert.deepStrictEqual(
          messages.map((message) => (message._tag === "User" ? message.text : message._tag)),
          ["go", "Assistant", "ToolResult", "be quick", "like this"]
        )
        assert.deepStrictEqual(
          messages.slice(3).map((message) => message._tag === "User" && message.media),
          [[], [pixel]]
        )
      })
    )
  )

  it.effect("a message sent while a turn runs is held until it ends", () =>
    run(
      Effect.gen(function* () {
        const { scripted, session, world } = yield* begin([
          Reply.toolCall("append", { line: "1" }),
          Reply.text("first"),
          Reply.text("second")
        ])
        yield* world.gate.close
        const fiber = yield* Effect.forkChild(session.run(World.say("one")))
        yield* TestClock.adjust(1)
        const store = yield* SessionStore.SessionStore
        yield* store.submit({
          treeId: session.sessionId,
          dedupeKey: "follow-up",
          command: { _tag: "SendMessage", sessionId: session.sessionId, text: "two", media: [] },
          principal: "ada"
        })
        yield* world.gate.open
        assert.strictEqual((yield* Fiber.join(fiber)).text, "second")
        yield* scripted.script.assertDone
      })
    )
  )

  it.effect("a tool that is only named is declared by use_tools, and called in the next step", () =>
    run(
      Effect.gen(function* () {
        const { scripted, session, world } = yield* begin(
          [
            Reply.toolCall("use_tools", { names: ["append"] }),
            Reply.toolCall("append", { line: "x" }),
            Reply.text("done")
          ],
          () => ({ tools: { core: new Set(["look"]) } })
        )
        yield* session.run(World.say("go"))
        const declared = (yield* scripted.script.prompts).map(({ tools }) => tools.map(({ name }) => name))
        assert.deepStrictEqual(declared[0], ["look", "use_tools"])
        assert.deepStrictEqual(declared[1], ["look", "use_tools", "append"])
        assert.deepStrictEqual(world.log, ["append x"])
      })
    )
  )

  it.effect("the prompt only grows: each step's messages begin with the last step's", () =>
    run(
      Effect.gen(function* () {
        const { scripted, session } = yield* begin([
          Reply.toolCall("look", { key: "1" }),
          Reply.toolCall("fail"),
          Reply.text("one"),
          Reply.text("two")
        ])
        yield* session.run(World.say("a"))
        yield* session.run(World.say("b"))
        const prompts = yield* scripted.script.prompts
        for (let index = 1; index < prompts.length; index++) {
          const before = prompts[index - 1].messages
          assert.deepStrictEqual(prompts[index].messages.slice(0, before.length), before)
        }
      })
    )
  )
})

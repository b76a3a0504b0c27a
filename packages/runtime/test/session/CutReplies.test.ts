/** Replies that are cut after they have started: retried, counted, reported, and stoppable. */
import type { Event } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { SessionStore, type Model, type Session } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "./world.ts"

const retrying = (most: number) => ({
  retryPause: (_: Model.ModelError, before: number) => (before < most ? 1000 * 2 ** before : null)
})

const begin = Effect.fnUntraced(function* (steps: ReadonlyArray<Reply.Reply>, most: number) {
  const scripted = yield* ScriptedModel.make(steps)
  const events: Array<Event.Event> = []
  const session = yield* World.openWith({
    agent: World.agentOf(World.makeWorld()),
    model: { ...scripted.model, ...retrying(most) },
    channel: World.channelOf(events, null),
    sessionId: null
  })
  return { scripted, session, events }
})

const repliesOf = Effect.fnUntraced(function* ({ sessionId }: Session.Session) {
  const store = yield* SessionStore.SessionStore
  const entries = yield* store.entries(sessionId, 0, 1000)
  return entries.flatMap(({ body }) => (body._tag === "ModelReplied" ? [[body.completion, body.parts.length]] : []))
})

const run = <A, E>(body: Effect.Effect<A, E, World.Needs>) => Effect.scoped(body).pipe(Effect.provide(World.stores))
const noticesOf = (events: ReadonlyArray<Event.Event>) =>
  events.flatMap((event) => (event._tag === "Notice" ? [event.message] : []))
const cut = Reply.cut(Reply.text("half an ans"))

describe("CutReplies", () => {
  it.effect("are retried with the same prompt, and nothing of them is kept", () =>
    run(
      Effect.gen(function* () {
        const { events, scripted, session } = yield* begin([cut, cut, Reply.text("the answer")], 10)
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* TestClock.adjust("3 seconds")
        assert.strictEqual((yield* Fiber.join(fiber)).text, "the answer")
        const [first, ...others] = yield* scripted.script.prompts
        for (const { messages } of others) assert.deepStrictEqual(messages, first.messages)
        assert.deepStrictEqual(yield* repliesOf(session), [
          ["interrupted", 0],
          ["interrupted", 0],
          ["complete", 1]
        ])
        assert.deepStrictEqual(
          noticesOf(events).map((notice) => notice.replace(/^.*; /u, "")),
          ["asking again in 1 s", "asking again in 2 s"]
        )
      })
    )
  )

  it.effect("a call of one is not run", () =>
    run(
      Effect.gen(function* () {
        const { session } = yield* begin([Reply.cut(Reply.toolCall("append", { line: "x" })), Reply.text("done")], 10)
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* TestClock.adjust("1 seconds")
        yield* Fiber.join(fiber)
        const store = yield* SessionStore.SessionStore
        const entries = yield* store.entries(session.sessionId, 0, 1000)
        assert.isFalse(entries.some(({ body }) => body._tag === "CallStarted" || body._tag === "CallEnded"))
      })
    )
  )

  it.effect("after the last retry the failure is reported and the text so far stays", () =>
    run(
      Effect.gen(function* () {
        const { session } = yield* begin([cut, cut], 1)
        const fiber = yield* Effect.forkChild(Effect.flip(session.run(World.say("go"))))
        yield* TestClock.adjust("1 seconds")
        const error = yield* Fiber.join(fiber)
        assert.strictEqual(error._tag === "ModelError" ? error.reason : error._tag, "StreamCut")
        assert.deepStrictEqual(yield* repliesOf(session), [
          ["interrupted", 0],
          ["interrupted", 1]
        ])
      })
    )
  )

  it.effect("an interruption during the pause ends the turn, and nothing more is requested", () =>
    run(
      Effect.gen(function* () {
        const { scripted, session } = yield* begin([cut, Reply.text("never")], 10)
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* TestClock.adjust("900 millis")
        yield* Fiber.interrupt(fiber)
        yield* TestClock.adjust("1 minute")
        assert.lengthOf(yield* scripted.script.prompts, 1)
        assert.isFalse(yield* session.hasOpenTurn)
      })
    )
  )
})

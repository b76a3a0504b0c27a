/** Approval requests whose deadline passes while no process runs. */
import type { Approval, Event } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "./world.ts"

describe("a request whose deadline passed while no process ran", () => {
  it.effect("is shown to no user again, and its call does not run", () =>
    Effect.gen(function* () {
      const world = World.makeWorld()
      const agent = World.agentOf(world)
      const waiting = yield* Effect.scoped(
        Effect.gen(function* () {
          const launch = Reply.toolCall("launch", { target: "moon" })
          const scripted = yield* ScriptedModel.make([launch, Reply.text("I wait")])
          const session = yield* World.openSession({ agent, scripted, channel: World.channelOf([], null) })
          const { pending } = yield* session.run(World.say("go"))
          return { sessionId: session.sessionId, request: pending[0] }
        })
      )
      yield* TestClock.setTime(waiting.request.expiresAtMillis)
      const shown: Array<string> = []
      const ask = ({ approvalId }: Approval.Request) => {
        shown.push(approvalId)
        return World.approve()
      }
      const events: Array<Event.Event> = []
      const scripted = yield* ScriptedModel.make([Reply.text("too late")])
      const channel = World.channelOf(events, ask)
      const session = yield* World.openSession({ agent, scripted, channel, sessionId: waiting.sessionId })
      yield* session.resume
      const store = yield* SessionStore.SessionStore
      const decisions = (yield* store.entries(session.sessionId, 0, 1000)).flatMap(({ body }) =>
        body._tag === "ApprovalDecided" ? [body.decision._tag] : []
      )
      assert.deepStrictEqual([shown, decisions, world.log], [[], ["Expired"], []])
      assert.isFalse(events.some(({ _tag }) => _tag === "ApprovalAsked"))
    }).pipe(Effect.scoped, Effect.provide(World.stores))
  )
})

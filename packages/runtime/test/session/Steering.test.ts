/** A message to a turn that is reading earlier messages is read before its next step. */
import type { Event, Session as SessionData } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "./world.ts"

describe("Steering", () => {
  it.effect("that comes while the inbox is read joins the same turn", () =>
    Effect.gen(function* () {
      const inner = yield* SessionStore.SessionStore
      const steer = (treeId: SessionData.SessionId, text: string) =>
        Effect.orDie(
          inner.submit({
            treeId,
            dedupeKey: text,
            command: { _tag: "SteerSession", sessionId: treeId, text },
            principal: "ada"
          })
        )
      /** The messages to send after the next read. */
      let late: string | null = null
      const store: typeof inner = {
        ...inner,
        commit: (batch) =>
          Effect.tap(inner.commit(batch), () => {
            if (!batch.entries.some(({ body }) => body._tag === "CallEnded")) return Effect.void
            late = "two"
            return steer(batch.treeId, "one")
          }),
        inbox: (treeId) =>
          Effect.tap(inner.inbox(treeId), () =>
            Effect.suspend(() => {
              const text = late
              late = null
              return text === null ? Effect.void : steer(treeId, text)
            })
          )
      }
      const scripted = yield* ScriptedModel.make([
        Reply.toolCall("look", { key: "a" }),
        { expect: { user: "one" }, reply: Reply.text("heard one") },
        { expect: { user: "two" }, reply: Reply.text("heard two") }
      ])
      const events: Array<Event.Event> = []
      const session = yield* World.openSession({
        agent: World.agentOf(World.makeWorld()),
        scripted,
        channel: World.channelOf(events, null)
      }).pipe(Effect.provideService(SessionStore.SessionStore, store))
      const { text } = yield* session.run(World.say("go"))
      assert.strictEqual(text, "heard two")
      assert.lengthOf(
        events.filter(({ _tag }) => _tag === "TurnStarted"),
        1
      )
      yield* scripted.script.assertDone
    }).pipe(Effect.scoped, Effect.provide(World.stores))
  )
})

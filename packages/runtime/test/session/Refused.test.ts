/** Tests of values that pass the adapters' checks: the journal refuses them, and the session continues and opens again. */
import type { Event } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "./world.ts"

const run = <A, E>(body: Effect.Effect<A, E, SessionStore.SessionStore | World.Needs>) =>
  Effect.scoped(body).pipe(Effect.provide(World.stores))

describe("a value that a journal could not decode", () => {
  it.effect("ends its call as an error, and the turn continues", () =>
    run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        const scripted = yield* ScriptedModel.make([
          Reply.toolCall("append", { line: "a" }),
          {
            expect: { toolResult: /^Error: the result of the call could not be recorded/ },
            reply: Reply.text("done")
          }
        ])
        // A receipt that names no commit as text: the host's own mistake.
        const agent = World.agentOf(world, { workspace: { commit: Effect.succeed(3 as never) } })
        const events: Array<Event.Event> = []
        const session = yield* World.openSession({ agent, scripted, channel: World.channelOf(events, null) })
        const result = yield* session.run(World.say("go"))
        assert.strictEqual(result.status, "completed")
        assert.deepStrictEqual(world.log, ["append a"])
        const store = yield* SessionStore.SessionStore
        const tags = (yield* store.entries(session.sessionId, 0, 100)).map(({ body }) => body._tag)
        assert.strictEqual(tags.filter((tag) => tag === "CallEnded").length, 1)
      })
    )
  )

  it.effect("leaves a reply without its parts, which is reported as the model's error", () =>
    run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        const scripted = yield* ScriptedModel.make([Reply.text("heard"), Reply.text("done")])
        // A redactor that returns no text: the host's own mistake.
        let isBroken = true
        const redact = (text: string) => (isBroken && text === "heard" ? (3 as never) : text)
        const redaction = { redact, holdsSecret: () => false, settledLength: (text: string) => text.length }
        const agent = World.agentOf(world, { redaction })
        const session = yield* World.openSession({ agent, scripted, channel: World.channelOf([], null) })
        const failure = yield* Effect.flip(session.run(World.say("go")))
        assert.match(failure._tag === "ModelError" ? failure.message : "", /^the model's answer cannot be recorded: /u)
        const store = yield* SessionStore.SessionStore
        const replies = Effect.map(store.entries(session.sessionId, 0, 100), (entries) =>
          entries.flatMap(({ body }) => (body._tag === "ModelReplied" ? [body] : []))
        )
        assert.deepStrictEqual(
          (yield* replies).map(({ completion, parts }) => ({ completion, parts })),
          [{ completion: "interrupted", parts: [] }]
        )
        isBroken = false
        assert.strictEqual((yield* session.run(World.say("on"))).text, "done")
      })
    )
  )
})

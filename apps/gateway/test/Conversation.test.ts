/** A conversation with the running server over HTTP: sessions, messages, entries, events. */
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { events } from "./Events.ts"
import * as Gateway from "./Gateway.ts"

describe("a conversation over HTTP", () => {
  it.live("streams the entries of the journal, in order", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const scripted = yield* ScriptedModel.make([Reply.text("Hello Ada"), Reply.text("Again")])
        const gateway = yield* Gateway.start({ model: () => scripted.model })
        const token = yield* Gateway.user(gateway, "acme/ada")
        const created = yield* gateway.request("/api/v1/sessions", { token, body: {} })
        assert.strictEqual(created.status, 201, created.text)
        const sessionId: string = created.json.id
        const isOpen = yield* Deferred.make<void>()
        const reading = yield* events(gateway, { token, sessionId }).pipe(
          Stream.tap(() => Deferred.succeed(isOpen, undefined)),
          Stream.takeUntil(({ frame }) => frame._tag === "TurnEnded"),
          Stream.runCollect,
          Effect.forkScoped
        )
        // The end of a turn is sent only live: the reader is connected before the turn starts.
        yield* Deferred.await(isOpen)
        const sent = yield* gateway.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text: "Hi" } })
        assert.strictEqual(sent.status, 202, sent.text)
        const frames = yield* Fiber.join(reading)
        const entries = yield* gateway.request(`/api/v1/sessions/${sessionId}/entries`, { token })
        assert.deepStrictEqual(
          frames.flatMap(({ frame }) => (frame._tag === "Entry" ? [frame.entry] : [])),
          entries.json.items
        )
        const deltas = frames.flatMap(({ frame }) => (frame._tag === "Delta" ? [frame.text] : []))
        assert.strictEqual(deltas.join(""), "Hello Ada")
        // A reader that has seen the completion can trust the state that it reads.
        const session = yield* gateway.request(`/api/v1/sessions/${sessionId}`, { token })
        assert.strictEqual(session.json.state, "Suspended")
        assert.strictEqual(session.json.entries, entries.json.items.length)
      })
    )
  )
})

/** Acknowledged requests survive the process, and a reader that reconnects gets each entry once. */
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { thoroughOnly } from "../../../test/thorough.ts"
import { entriesOf, events, isLastReply, untilLast, untilReplied } from "./Events.ts"
import * as Gateway from "./Gateway.ts"
import { killedUnderLoad } from "./killedUnderLoad.ts"

describe("a restart", () => {
  it.live(
    "by SIGKILL under load loses and duplicates no message, no decision, no entry and no frame",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { acknowledged, decisions } = yield* killedUnderLoad(2, 2)
          assert.isAtLeast(acknowledged, 16)
          assert.isAtLeast(decisions, 1)
        })
      ),
    thoroughOnly
  )

  it.live("by SIGTERM tells streams where to resume, and they do", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const dataDirectory = yield* Gateway.folder
        const scripted = yield* ScriptedModel.make([Reply.text("Before"), Reply.text("After")])
        const first = yield* Scope.make()
        const before = yield* Scope.provide(Gateway.start({ dataDirectory, model: () => scripted.model }), first)
        const token = yield* Gateway.user(before, "acme/ada")
        const created = yield* before.request("/api/v1/sessions", { token, body: {} })
        const sessionId: string = created.json.id
        const replied = yield* Deferred.make<void>()
        const reading = yield* events(before, { token, sessionId }).pipe(
          Stream.tap((received) => (isLastReply(received) ? Deferred.succeed(replied, undefined) : Effect.void)),
          Stream.runCollect,
          Effect.forkScoped
        )
        yield* before.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text: "a" } })
        yield* Deferred.await(replied)
        yield* Scope.close(first, Exit.void)
        const frames = yield* Fiber.join(reading)
        const last = frames.at(-1)
        const newest = frames.findLast(({ id }) => id !== null)
        assert.deepInclude(last?.frame, { _tag: "Resume", reason: "draining", after: newest?.id ?? null })
        const after = yield* Gateway.start({ dataDirectory, model: () => scripted.model })
        yield* after.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text: "b" } })
        const rest = yield* untilReplied(after, { token, sessionId, lastEventId: newest?.id ?? "" })
        const whole = yield* untilLast(after, { token, sessionId }, rest.at(-1)?.id ?? "")
        assert.deepStrictEqual(entriesOf([...frames, ...rest]), entriesOf(whole))
      })
    )
  )
})

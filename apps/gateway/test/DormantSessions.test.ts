/** A conversation whose session is dormant between its turns: clients see no difference. */
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { entriesOf, events, untilLast, untilSaid } from "./Events.ts"
import * as Gateway from "./Gateway.ts"

describe("a dormant session", () => {
  it.live("answers its next message, and its streams have each event once and in order", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const answers = ["one", "two", "three"]
        const scripted = yield* ScriptedModel.make(
          answers.flatMap((answer) => [Reply.toolCall("list_files", { path: "." }), Reply.text(answer)])
        )
        const gateway = yield* Gateway.start({ model: () => scripted.model, maxIdleOpen: 0, restMillis: 0 })
        const token = yield* Gateway.user(gateway, "acme/ada")
        const created = yield* gateway.request("/api/v1/sessions", { token, body: {} })
        const sessionId: string = created.json.id
        const operator = yield* Gateway.operator(gateway)
        const dormant = Effect.map(
          gateway.request("/metrics", { token: operator }),
          ({ text }) => /^bough_sessions_dormant (\d+)$/mu.exec(text)?.[1]
        )
        const watching = yield* events(gateway, { token, sessionId }).pipe(
          Stream.takeUntil(
            ({ frame }) =>
              frame._tag === "Entry" &&
              frame.entry.body._tag === "ModelReplied" &&
              frame.entry.body.parts.some((part) => part._tag === "Text" && part.text === "three")
          ),
          Stream.runCollect,
          Effect.forkScoped
        )
        for (const text of answers) {
          const sent = yield* gateway.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text } })
          assert.strictEqual(sent.status, 202)
          yield* untilSaid(gateway, { token, sessionId }, text)
          while ((yield* dormant) !== "1") yield* Effect.sleep(5)
        }
        const frames = yield* Fiber.join(watching)
        const last = frames.findLast(({ frame }) => frame._tag === "Entry")
        const whole = yield* untilLast(gateway, { token, sessionId }, last?.id ?? "")
        assert.deepStrictEqual(entriesOf(frames), entriesOf(whole))
      })
    )
  )
})

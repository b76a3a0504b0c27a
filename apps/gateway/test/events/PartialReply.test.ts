/** A reader that connects in the middle of a reply gets the part that it missed, once and in full. */
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { events } from "../Events.ts"
import * as Gateway from "../Gateway.ts"

describe("a reply in progress", () => {
  it.live("is sent in full to a reader that connects or resumes, and replaces its earlier text", () =>
    Effect.gen(function* () {
      const pieces = ["One ", "two ", "three"].map((text) => ({ _tag: "Text", text }) as const)
      const scripted = yield* ScriptedModel.make([Reply.hang([Reply.reasoning("I count"), ...pieces])])
      const gateway = yield* Gateway.start({ model: () => scripted.model })
      const token = yield* Gateway.user(gateway, "acme/ada")
      const sessionId: string = (yield* gateway.request("/api/v1/sessions", { token, body: {} })).json.id
      yield* gateway.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text: "count" } })
      /** Folds deltas as a client does, until the reply has arrived. */
      const read = (query: string, lastEventId?: string) =>
        events(gateway, { token, sessionId, query, ...(lastEventId === undefined ? {} : { lastEventId }) }).pipe(
          Stream.scan(
            () => ({ text: "", replaced: 0, id: "" }),
            (seen, { frame, id }) => {
              if (id !== null) return { ...seen, id }
              if (frame._tag !== "Delta") return seen
              const part = `[${frame.part}]${frame.text}`
              return {
                ...seen,
                text: frame.whole ? part : seen.text + part,
                replaced: seen.replaced + Number(frame.whole)
              }
            }
          ),
          Stream.takeUntil(({ text }) => text.includes("three")),
          Stream.runLast,
          Effect.flatMap(Effect.fromOption)
        )
      const first = yield* read("")
      for (const again of [yield* read("?after=latest"), yield* read("", first.id), yield* read("")]) {
        assert.strictEqual(again.text, "[reasoning]I count[text]One two three")
        assert.strictEqual(again.replaced, 1)
      }
    })
  )
})

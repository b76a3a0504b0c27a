/** Conversations of other protocols whose session has the key of another session of the same user. */
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Gateway from "../Gateway.ts"

describe("a conversation", () => {
  it.live("whose key belongs to a session with another agent is refused, and changes nothing", () =>
    Effect.gen(function* () {
      const { model } = yield* ScriptedModel.make([Reply.text("Hello")])
      const gateway = yield* Gateway.start({ model: () => model, catalog: { agents: { other: {} } } })
      const token = yield* Gateway.user(gateway, "acme/ada")
      for (const [key, path, body] of [
        [
          "ai-sdk:c",
          "/api/chat",
          { id: "c", messages: [{ id: "m", role: "user", parts: [{ type: "text", text: "hi" }] }] }
        ],
        [
          "ag-ui:t",
          "/ag-ui",
          { threadId: "t", runId: "r", messages: [{ id: "m", role: "user", content: "hi" }], tools: [], context: [] }
        ]
      ] as const) {
        const headers = { "idempotency-key": key }
        const made = yield* gateway.request("/api/v1/sessions", { token, headers, body: { agent: "other" } })
        assert.strictEqual(made.status, 201, made.text)
        const answer = yield* gateway.request(path, { token, body })
        assert.strictEqual(answer.status, 200, answer.text)
        assert.include(answer.text, "another session with the key of this conversation")
        const { json } = yield* gateway.request(`/api/v1/sessions/${made.json.id}`, { token })
        assert.strictEqual(json.entries, made.json.entries)
      }
      // Another user is not affected.
      const eve = yield* Gateway.user(gateway, "acme/eve")
      const body = { id: "c", messages: [{ id: "m", role: "user", parts: [{ type: "text", text: "hi" }] }] }
      assert.include((yield* gateway.request("/api/chat", { token: eve, body })).text, "Hello")
    })
  )
})

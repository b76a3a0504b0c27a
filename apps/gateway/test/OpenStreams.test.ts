/** The number of open streams of one token, over every protocol, at the running server. */
import { Limits } from "@bough/gateway-api"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Served from "./compatibility/served.ts"
import * as Gateway from "./Gateway.ts"

const { streamsPerToken } = Limits.limits

const user = { role: "user", content: "hi" }

/** Requests that are answered with a stream, or after one. */
const others: Readonly<Record<string, unknown>> = {
  "/v1/responses": { model: "bough", input: "hi", stream: true },
  "/v1/chat/completions": { model: "bough", messages: [user] },
  "/api/chat": { id: "c", messages: [{ id: "m", role: "user", parts: [{ type: "text", text: "hi" }] }] },
  "/ag-ui": { threadId: "t", runId: "r", messages: [{ id: "m", ...user }], tools: [], context: [] }
}

describe("open streams", () => {
  it.live("of a token are limited, also if they are opened at once, over all protocols, until they end", () =>
    Served.serve(
      () => ({ text: "Hello" }),
      ({ gateway, token, asked }) =>
        Effect.gen(function* () {
          const sessionId = (yield* gateway.request("/api/v1/sessions", { token, body: {} })).json.id as string
          const ended = new AbortController()
          yield* Effect.addFinalizer(() => Effect.sync(() => ended.abort()))
          const open = () =>
            fetch(`${gateway.url}/api/v1/sessions/${sessionId}/events`, {
              headers: { authorization: `Bearer ${token}` },
              signal: ended.signal
            })
          const opened = yield* Effect.promise(() => Promise.all(Array.from({ length: streamsPerToken + 8 }, open)))
          const refused = opened.filter(({ status }) => status === 429)
          assert.lengthOf(refused, 8)
          for (const [path, body] of Object.entries(others)) {
            const answer = yield* gateway.request(path, { token, body })
            assert.strictEqual(answer.status, 429, path)
            assert.isNotNull(answer.headers.get("retry-after"), path)
            assert.include(answer.text, `${streamsPerToken} open streams`, path)
          }
          assert.strictEqual(asked(), 0)
          assert.lengthOf((yield* gateway.request("/api/v1/sessions", { token })).json.items, 1)
          ended.abort()
          for (const [path, body] of Object.entries(others)) {
            const answered = gateway.request(path, { token, body })
            const { text } = yield* Effect.repeat(answered, { until: ({ status }) => status === 200 })
            assert.include(text, "Hello", path)
          }
          const operator = yield* Gateway.operator(gateway)
          const metrics = gateway.request("/metrics", { token: operator })
          yield* Effect.repeat(metrics, { until: ({ text }) => /^bough_event_streams 0$/mu.test(text) })
        })
    )
  )
})

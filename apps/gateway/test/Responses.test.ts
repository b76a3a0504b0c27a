/** The headers and formats of the responses to all requests. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { thoroughOnly } from "../../../test/thorough.ts"
import * as Gateway from "./Gateway.ts"

const requests: ReadonlyArray<readonly [path: string, request: Gateway.Request, status: number, code: string | null]> =
  [
    ["/health", {}, 200, null],
    ["/ready", {}, 200, null],
    ["/nothing", {}, 404, "not_found"],
    ["/api/v1/sessions", {}, 401, "unauthenticated"],
    ["/api/v1/sessions", { token: "wrong" }, 401, "unauthenticated"],
    ["/api/v1/sessions", { token: "mine", body: "{" }, 400, "invalid_request"],
    ["/api/v1/sessions", { token: "mine", body: { agent: 1 } }, 400, "invalid_request"],
    [
      "/api/v1/sessions",
      { token: "mine", body: "x", headers: { "content-type": "text/plain" } },
      415,
      "unsupported_media_type"
    ],
    ["/api/v1/sessions?limit=0", { token: "mine" }, 400, "invalid_request"],
    ["/api/v1/sessions?cursor=x", { token: "mine" }, 400, "invalid_request"],
    ["/api/v1/sessions/ses_1", { token: "mine" }, 404, "not_found"],
    [
      "/api/v1/sessions",
      { token: "mine", body: JSON.stringify({ agent: "x".repeat(9 * 1024 * 1024) }) },
      413,
      "payload_too_large"
    ]
  ]

describe("responses", () => {
  it.live(
    "are problems with a stable code if they fail, and forbid type guessing in browsers",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const gateway = yield* Gateway.start()
          const mine = yield* Gateway.user(gateway, "acme/ada")
          for (const [path, request, status, code] of requests) {
            const token = request.token === "mine" ? mine : (request.token ?? null)
            const answer = yield* gateway.request(path, { ...request, token })
            assert.strictEqual(answer.status, status, `${path}: ${answer.text}`)
            assert.strictEqual(answer.headers.get("x-content-type-options"), "nosniff")
            assert.strictEqual(answer.headers.get("cache-control"), "no-store")
            if (code === null) continue
            assert.strictEqual(answer.json?.code, code, `${path}: ${answer.text}`)
            assert.strictEqual(answer.headers.get("content-type"), "application/problem+json")
          }
        })
      ),
    thoroughOnly
  )

  it.live("name the methods of a path that is requested with another one", () =>
    Effect.gen(function* () {
      const gateway = yield* Gateway.start()
      for (const [method, path, allow] of [
        ["PUT", "/api/v1/tenants/acme/quotas", "GET, PATCH"],
        ["DELETE", "/api/v1/sessions", "GET, POST"],
        ["GET", "/api/v1/approvals/apr_1/decision", "POST"],
        ["OPTIONS", "/api/chat", "POST"],
        ["PUT", "/ag-ui", "POST"],
        ["PATCH", "/mcp", "DELETE, GET, POST"],
        ["PUT", "/api/chat/c/stream", "GET"]
      ] as const) {
        const answer = yield* gateway.request(path, { method })
        assert.deepStrictEqual([answer.status, answer.json.code], [405, "method_not_allowed"], path)
        assert.deepStrictEqual((answer.headers.get("allow") ?? "").split(", ").toSorted().join(", "), allow)
      }
      assert.strictEqual((yield* gateway.request("/api/v1/sessions/a/b/c")).status, 404)
      const long = `/api/v1/sessions/${"a".repeat(180)}`
      for (const method of ["GET", "DELETE"]) {
        assert.strictEqual((yield* gateway.request(long, { method })).status, 404)
      }
    })
  )

  it.live("have the shape of OpenAI's errors below /v1, also where no route answers", () =>
    Effect.gen(function* () {
      const gateway = yield* Gateway.start()
      const token = yield* Gateway.user(gateway, "acme/ada")
      const compressed = { "content-encoding": "gzip" }
      const missing =
        "this path does not exist here: an agent is served at /v1/responses, /v1/chat/completions and /v1/models"
      for (const [request, path, status, error] of [
        [{}, "/v1/embeddings", 404, { type: "not_found_error", code: "not_found", message: missing }],
        [{}, "/v1/chat/completions", 405, { code: "method_not_allowed", message: "this path accepts POST" }],
        [{ method: "DELETE" }, "/v1/models/bough", 405, { type: "invalid_request_error" }],
        [{ body: "{}", headers: compressed }, "/v1/responses", 415, { code: "unsupported_media_type" }],
        [{ headers: { origin: "https://evil.test" } }, "/v1/models", 403, { code: "origin_not_allowed" }]
      ] as const) {
        const answer = yield* gateway.request(path, { token, ...request })
        assert.deepStrictEqual([answer.status, answer.headers.get("content-type")], [status, "application/json"], path)
        assert.deepInclude(answer.json.error, error, path)
        assert.strictEqual(answer.headers.get("allow"), status !== 405 ? null : path.includes("chat") ? "POST" : "GET")
      }
    })
  )

  it.live("do not depend on the type of an empty body, and read JSON only where it is declared", () =>
    Effect.gen(function* () {
      const gateway = yield* Gateway.start()
      const token = yield* Gateway.user(gateway, "acme/ada")
      for (const type of ["application/x-www-form-urlencoded", "text/plain;charset=UTF-8"]) {
        const headers = { "content-type": type }
        const made = yield* gateway.request("/api/v1/sessions", { token, body: "", headers })
        assert.strictEqual(made.status, 201, made.text)
        assert.strictEqual((yield* gateway.request("/api/v1/sessions", { token, body: "{}", headers })).status, 415)
      }
      // Two parsers could read different values for the repeated key.
      const twice = '{"model":"bough","model":"x","messages":[{"role":"user","content":"hi"}]}'
      for (const type of ["application/octet-stream", "multipart/form-data; boundary=x"]) {
        for (const path of ["/v1/chat/completions", "/v1/responses", "/api/chat", "/ag-ui", "/mcp"]) {
          const headers = { "content-type": type }
          const answer = yield* gateway.request(path, { token, body: twice, headers })
          assert.strictEqual(answer.status, 415, `${path} ${type}: ${answer.text}`)
        }
      }
    })
  )

  it.live("refuse a token beyond its scopes", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const gateway = yield* Gateway.start()
        const reading = yield* Gateway.user(gateway, "acme/ada", ["read"])
        assert.strictEqual((yield* gateway.request("/api/v1/sessions", { token: reading })).status, 200)
        const refused = yield* gateway.request("/api/v1/sessions", { token: reading, body: {} })
        assert.strictEqual(refused.status, 403)
        assert.strictEqual(refused.json.code, "scope_missing")
      })
    )
  )
})

import { connect, dataOf, GatewayError } from "@bough/client"
import { assert, describe, it } from "@effect/vitest"
import { json, withServer } from "./Loopback.ts"

const page = { items: [], next: null }

const failureOf = async (promise: Promise<unknown>): Promise<GatewayError> =>
  promise.then(
    () => assert.fail("it succeeded"),
    (error: unknown) => {
      assert.instanceOf(error, GatewayError)
      return error
    }
  )

describe("Gateway", () => {
  it.each([
    [409, { code: "session_busy", recoverable: true }, true],
    [429, { code: "quota_exceeded", recoverable: false }, false],
    [503, { code: "draining", recoverable: true }, true],
    [404, { code: "not_found", recoverable: false }, false],
    // The answers of a proxy, which have no such field.
    [429, {}, true],
    [502, {}, true],
    [504, {}, true],
    [404, {}, false],
    [500, {}, false]
  ])("says of %i %o whether the same request can succeed later: %o", (status, fields, recoverable) =>
    withServer(
      (_, response) => json(response, status, { type: "about:blank", title: "Problem", status, ...fields }),
      async (baseUrl) => {
        const { api } = connect({ baseUrl, token: "secret" })
        const error = await failureOf(dataOf(api.GET("/api/v1/sessions", {})))
        assert.deepInclude({ status: error.status, recoverable: error.recoverable }, { status, recoverable })
      }
    )
  )

  it("says of a gateway that cannot be reached that the same request can succeed later", async () => {
    let address = ""
    await withServer(
      (_, response) => json(response, 200, page),
      async (baseUrl) => {
        address = baseUrl
      }
    )
    const { api } = connect({ baseUrl: address, token: "secret" })
    const error = await failureOf(dataOf(api.GET("/api/v1/sessions", {})))
    assert.deepInclude({ code: error.code, recoverable: error.recoverable }, { code: "unreachable", recoverable: true })
  })

  it("keeps the path prefix of the address, and sends the token", () =>
    withServer(
      (_, response) => json(response, 200, page),
      async (baseUrl, request) => {
        const { api } = connect({ baseUrl: `${baseUrl}/bough/`, token: "secret" })
        assert.deepStrictEqual(await dataOf(api.GET("/api/v1/sessions", { params: { query: { limit: "1" } } })), page)
        assert.strictEqual(`${request[0].url.pathname}${request[0].url.search}`, "/bough/api/v1/sessions?limit=1")
        assert.strictEqual(request[0].headers["authorization"], "Bearer secret")
        assert.isUndefined(request[0].headers["idempotency-key"])
      }
    ))

  it("sends a mutation again with its key and body while the server restarts, and another one with another key", () =>
    withServer(
      (_, response, index) =>
        index < 2
          ? json(response, 503, { title: "Service Unavailable", code: "draining" }, { "retry-after": "0" })
          : json(response, 201, { id: "ses_1" }),
      async (baseUrl, request) => {
        const { api } = connect({ baseUrl, mutationHeaders: () => ({ "x-csrf-token": "t" }) })
        await dataOf(api.POST("/api/v1/sessions", { body: { agent: "a" } }))
        await dataOf(api.POST("/api/v1/sessions", { body: {} }))
        const [first, , third, fourth] = request
        assert.deepStrictEqual([third.body, third.headers["x-csrf-token"]], ['{"agent":"a"}', "t"])
        assert.isString(first.headers["idempotency-key"])
        assert.strictEqual(third.headers["idempotency-key"], first.headers["idempotency-key"])
        assert.notStrictEqual(fourth.headers["idempotency-key"], first.headers["idempotency-key"])
      }
    ))

  it("throws the problem's detail, once the server refuses", () =>
    withServer(
      (_, response) => json(response, 404, { status: 404, title: "Not Found", code: "not_found", detail: "gone" }),
      async (baseUrl, request) => {
        const { api } = connect({ baseUrl })
        const params = { path: { sessionId: "a/b" } }
        const error = await failureOf(dataOf(api.GET("/api/v1/sessions/{sessionId}", { params })))
        assert.deepStrictEqual([error.status, error.code, error.message], [404, "not_found", "gone"])
        assert.strictEqual(request[0].url.pathname, "/api/v1/sessions/a%2Fb")
        assert.lengthOf(request, 1)
      }
    ))

  it("reports that the gateway cannot be reached", async () => {
    const gone = await withServer(
      (_, response) => json(response, 200, page),
      (baseUrl) => Promise.resolve(baseUrl)
    )
    const error = await failureOf(dataOf(connect({ baseUrl: gone, retries: 0 }).api.GET("/api/v1/sessions")))
    assert.deepStrictEqual([error.status, error.code], [0, "unreachable"])
  })
})

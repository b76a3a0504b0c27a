/** The checks before every route, against a listening server: requests of pages of other sites and of strangers. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { thoroughOnly } from "../../../../test/thorough.ts"
import * as Gateway from "../Gateway.ts"
import { type RawRequest, rawRequest, rawText } from "./rawRequest.ts"

const json = { "content-type": "application/json" }

describe("RequestGuard", () => {
  it.live("refuses another host, origin or body type, even if all other parts are right", () =>
    Effect.gen(function* () {
      const gateway = yield* Gateway.start({ access: { allowedOrigins: ["https://front.example.org"] } })
      const token = yield* Gateway.user(gateway, "acme/ann")
      const { port } = new URL(gateway.url)
      const good = { authorization: `Bearer ${token}` }
      const send = (request: Partial<RawRequest>) =>
        rawRequest(gateway.url, { path: "/api/v1/sessions", ...request, headers: { ...good, ...request.headers } })

      for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`])
        assert.strictEqual((yield* send({ headers: { host } })).status, 200, host)
      for (const host of [
        `evil.test:${port}`,
        "evil.test",
        "127.0.0.1",
        `127.0.0.1.evil.test:${port}`,
        `127.1:${port}`
      ]) {
        const answer = yield* send({ headers: { host } })
        assert.deepStrictEqual([answer.status, answer.code], [403, "host_not_allowed"], host)
      }

      for (const origin of [gateway.url, "https://front.example.org"])
        assert.strictEqual((yield* send({ headers: { origin } })).status, 200, origin)
      for (const origin of [
        "null",
        "https://evil.test",
        `${gateway.url}.evil.test`,
        `https://127.0.0.1:${port}`,
        "file://"
      ])
        for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
          const answer = yield* send({ method, headers: { origin, ...json } })
          assert.deepStrictEqual([answer.status, answer.code], [403, "origin_not_allowed"], `${method} ${origin}`)
          assert.isUndefined(answer.headers["access-control-allow-origin"])
        }

      for (const type of [
        "text/plain",
        "application/x-www-form-urlencoded",
        "text/plain; a=application/json",
        "applicationxjson"
      ]) {
        const answer = yield* send({ method: "POST", body: "{}", headers: { "content-type": type } })
        assert.deepStrictEqual([answer.status, answer.code], [415, "unsupported_media_type"], type)
      }
      assert.strictEqual((yield* send({ method: "POST", body: "{}" })).status, 415)
      assert.strictEqual((yield* send({ method: "POST", body: "{}", headers: json })).status, 201)
    })
  )

  it.live("refuses a body that a proxy would read differently", () =>
    Effect.gen(function* () {
      const gateway = yield* Gateway.start()
      const authorization = `Bearer ${yield* Gateway.user(gateway, "acme/ann")}`
      const send = (headers: Readonly<Record<string, string>>) =>
        rawRequest(gateway.url, {
          method: "POST",
          path: "/api/v1/sessions",
          headers: { authorization, ...json, ...headers },
          body: "{}"
        })
      for (const headers of [
        { "content-type": "application/json; charset=utf-7" },
        { "content-type": 'application/json;charset="UTF-16LE"' },
        { "content-encoding": "gzip" },
        { "content-encoding": "identity, br" }
      ]) {
        const { code, status } = yield* send(headers)
        assert.deepStrictEqual([status, code], [415, "unsupported_media_type"], JSON.stringify(headers))
      }
      for (const headers of [
        { "content-type": "application/json; charset=UTF-8" },
        { "content-type": 'application/json;charset="utf8"' },
        { "content-encoding": "identity" }
      ])
        assert.strictEqual((yield* send(headers)).status, 201, JSON.stringify(headers))
    })
  )

  it.live("ignores a header that occurs twice", () =>
    Effect.gen(function* () {
      const gateway = yield* Gateway.start()
      const { host } = new URL(gateway.url)
      const [ann, bob] = [yield* Gateway.user(gateway, "acme/ann"), yield* Gateway.user(gateway, "acme/bob")]
      const status = (...lines: ReadonlyArray<string>) =>
        Effect.map(
          rawText(gateway.url, ["GET /auth/me HTTP/1.1", ...lines, "Connection: close", "", ""].join("\r\n")),
          (answer) => Number(answer.split(" ")[1])
        )
      const [mine, his] = [`Authorization: Bearer ${ann}`, `Authorization: Bearer ${bob}`]
      assert.strictEqual(yield* status(`Host: ${host}`, mine), 200)
      assert.strictEqual(yield* status(`Host: ${host}`, mine, his), 401)
      assert.strictEqual(yield* status(`Host: ${host}`, "Host: evil.test", mine), 403)
      assert.strictEqual(
        yield* status(`Host: ${host}`, `Origin: http://${host}`, "Origin: https://evil.test", mine),
        403
      )
    })
  )

  it.live("lets a configured page call with a token, and lets no browser send a cookie", () =>
    Effect.gen(function* () {
      const origin = "https://front.example.org"
      const gateway = yield* Gateway.start({ access: { allowedOrigins: [origin] } })
      const preflight = yield* rawRequest(gateway.url, {
        method: "OPTIONS",
        path: "/api/v1/sessions",
        headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization" }
      })
      assert.strictEqual(preflight.headers["access-control-allow-origin"], origin)
      assert.isUndefined(preflight.headers["access-control-allow-credentials"])
      const own = yield* rawRequest(gateway.url, { path: "/health", headers: { origin: gateway.url } })
      assert.isUndefined(own.headers["access-control-allow-origin"])
    })
  )

  it.live("opens no socket for a page of another site", () =>
    Effect.gen(function* () {
      const gateway = yield* Gateway.start()
      const upgrade = {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA=="
      }
      for (const path of ["/", "/api/v1/events", "/api/v1/sessions", "/ws", "/ws-evil"]) {
        const answer = yield* rawRequest(gateway.url, { path, headers: { ...upgrade, origin: "https://evil.test" } })
        assert.deepStrictEqual([answer.status, answer.code], [403, "origin_not_allowed"], path)
      }
    })
  )

  it.live("believes forwarded headers of configured proxies alone", () =>
    Effect.gen(function* () {
      const one = { burst: 1, perSecond: 0.001 }
      const open = yield* Gateway.start({ access: { rateLimits: { perAddress: one } } })
      const from = (gateway: Gateway.Gateway, address: string) =>
        Effect.map(
          rawRequest(gateway.url, {
            path: "/health",
            headers: { "x-forwarded-for": address, "x-forwarded-host": "evil.test", "x-forwarded-proto": "https" }
          }),
          ({ status }) => status
        )
      assert.deepStrictEqual([yield* from(open, "192.0.2.1"), yield* from(open, "192.0.2.2")], [200, 429])

      const behind = yield* Gateway.start({
        access: { rateLimits: { perAddress: one }, trustedProxies: ["127.0.0.1"] }
      })
      assert.deepStrictEqual(
        [
          yield* from(behind, "192.0.2.1"),
          yield* from(behind, "192.0.2.1"),
          yield* from(behind, "::ffff:192.0.2.1"),
          yield* from(behind, "::ffff:c000:201"),
          yield* from(behind, "198.51.100.9, 192.0.2.1"),
          yield* from(behind, "192.0.2.2")
        ],
        [200, 429, 429, 429, 429, 200]
      )
    })
  )

  it.live("limits the rate of a credential, and says when to retry", () =>
    Effect.gen(function* () {
      const gateway = yield* Gateway.start({ access: { rateLimits: { perToken: { burst: 2, perSecond: 0.001 } } } })
      const [ann, bob] = [yield* Gateway.user(gateway, "acme/ann"), yield* Gateway.user(gateway, "acme/bob")]
      const statuses: Array<number> = []
      for (const token of [ann, ann, ann, bob])
        statuses.push((yield* gateway.request("/api/v1/sessions", { token })).status)
      assert.deepStrictEqual(statuses, [200, 200, 429, 200])
      const limited = yield* gateway.request("/api/v1/sessions", { token: ann })
      assert.strictEqual(limited.json.code, "rate_limited")
      assert.isAbove(Number(limited.headers.get("retry-after")), 100)
    })
  )

  it.live(
    "delays an address that sends wrong secrets, under every spelling, and no holder of a right one",
    () =>
      Effect.gen(function* () {
        const gateway = yield* Gateway.start({ access: { trustedProxies: ["127.0.0.1"] } })
        const token = yield* Gateway.user(gateway, "acme/ann")
        const guess = (index: number, address: string) =>
          gateway.request("/api/v1/sessions", {
            token: `bough_token_${String(index).padStart(16, "0")}_${"A".repeat(43)}`,
            headers: { "x-forwarded-for": address }
          })
        const spellings = ["203.0.113.7", "::ffff:203.0.113.7", "0:0:0:0:0:ffff:cb00:7107"]
        const statuses: Array<number> = []
        for (let index = 0; index < 14; index++) statuses.push((yield* guess(index, spellings[index % 3])).status)
        assert.deepStrictEqual([...new Set(statuses)], [401, 429])
        assert.strictEqual(statuses.at(-1), 429)
        assert.isAtMost(statuses.filter((status) => status === 401).length, 12)
        assert.strictEqual((yield* guess(99, "203.0.113.8")).status, 401)
        const right = yield* gateway.request("/api/v1/sessions", {
          token,
          headers: { "x-forwarded-for": spellings[0] }
        })
        assert.strictEqual(right.status, 200)
        const signIn = yield* gateway.request("/auth/link", {
          body: { secret: `bough_link_${"0".repeat(16)}_${"A".repeat(43)}` },
          headers: { "x-forwarded-for": spellings[1] }
        })
        assert.strictEqual(signIn.status, 429)
      }),
    thoroughOnly
  )

  it.live("accepts a secret only in its header, and grants no right that a client claims", () =>
    Effect.gen(function* () {
      const gateway = yield* Gateway.start()
      const admin = yield* Gateway.user(gateway, "acme/ann")
      const reader = yield* Gateway.user(gateway, "acme/bob", ["read"])
      for (const path of [
        `/api/v1/sessions?token=${admin}`,
        `/api/v1/sessions?access_token=${admin}`,
        `/api/v1/sessions?gatewayUrl=ws://evil.test&token=${admin}`
      ])
        assert.strictEqual((yield* gateway.request(path)).status, 401)
      const headers = { cookie: `token=${admin}; bough_session=${reader}`, "x-api-key": admin }
      assert.strictEqual((yield* gateway.request("/api/v1/sessions", { headers: { "x-api-key": admin } })).status, 401)
      // A token in the cookie's place is a credential, but no page proved that it sent the request.
      assert.include([401, 403], (yield* gateway.request("/api/v1/sessions", { headers, body: {} })).status)

      const claims = { "x-scopes": "admin", "x-bough-scopes": "admin approve chat", "x-tenant": "default" }
      for (const path of ["/api/v1/tenants", "/api/v1/tenants?scopes=admin"])
        assert.strictEqual((yield* gateway.request(path, { token: reader, headers: claims })).status, 403)
      const created = yield* gateway.request("/api/v1/sessions", {
        token: reader,
        headers: claims,
        body: { scopes: ["admin"], user: "acme/ann" }
      })
      assert.strictEqual(created.status, 403)
      for (const scheme of ["Basic", "Token", ""]) {
        const authorization = `${scheme} ${admin}`.trim()
        assert.strictEqual((yield* gateway.request("/api/v1/sessions", { headers: { authorization } })).status, 401)
      }
    })
  )

  it.live("offers no route that writes configuration, a command path or rules of the operator", () =>
    Effect.gen(function* () {
      const gateway = yield* Gateway.start()
      const token = yield* Gateway.user(gateway, "acme/ann")
      for (const path of [
        "/config",
        "/config.apply",
        "/api/v1/config",
        "/api/v1/settings",
        "/settings.update",
        "/tools/invoke"
      ])
        for (const method of ["GET", "POST", "PUT", "PATCH"]) {
          const body = method === "GET" ? undefined : { cliPath: "/tmp/x" }
          const { status } = yield* gateway.request(path, { token, method, body })
          assert.include([404, 405], status, `${method} ${path}`)
        }
    })
  )
})

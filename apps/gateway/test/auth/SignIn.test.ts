/** Signing in over HTTP: by link, by token and by a provider; and the rights of the cookie. */
import { ChildProcess } from "@bough/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { thoroughOnly } from "../../../../test/thorough.ts"
import { Accounts } from "../../src/accounts/Accounts.ts"
import { commandLine } from "../../src/accounts/AuditLog.ts"
import { TenantId, UserId } from "../../src/accounts/Principal.ts"
import * as Gateway from "../Gateway.ts"
import * as Browser from "./Browser.ts"
import { rawRequest } from "./rawRequest.ts"

const acme = TenantId.make("acme")
const ann = UserId.make("ann")

const linkFor = Effect.fnUntraced(function* (gateway: Gateway.Gateway) {
  yield* Gateway.user(gateway, "acme/ann")
  const accounts = Context.get(gateway.context, Accounts)
  const request = { tenant: acme, user: ann, scopes: ["read", "chat"] as const, label: "", lifetimeMillis: 60_000 }
  return Redacted.value((yield* accounts.issueLink(request, commandLine)).secret)
})

const signedIn = Effect.fnUntraced(function* (gateway: Gateway.Gateway) {
  const answer = yield* gateway.request("/auth/link", { body: { secret: yield* linkFor(gateway) } })
  assert.strictEqual(answer.status, 200, answer.text)
  const line = answer.headers.get("set-cookie") ?? ""
  return { line, cookie: line.split(";")[0], csrf: answer.json.csrf as string, answer }
})

describe("signing in", () => {
  it.live("exchanges a link once for a cookie that no script, other site or plain connection gets", () =>
    Effect.gen(function* () {
      const gateway = yield* Gateway.start({ access: { publicUrl: "https://agents.example.org/bough" } })
      const secret = yield* linkFor(gateway)
      const answer = yield* gateway.request("/auth/link", { body: { secret } })
      const line = answer.headers.get("set-cookie") ?? ""
      assert.match(line, /^__Host-bough_session=/)
      for (const attribute of ["HttpOnly", "Secure", "SameSite=Strict", "Path=/"]) assert.include(line, attribute)
      assert.notInclude(line, "Domain")
      assert.notInclude(answer.text, "bough_cookie_")
      assert.include(answer.headers.get("strict-transport-security") ?? "", "max-age")
      const again = yield* gateway.request("/auth/link", { body: { secret } })
      assert.deepStrictEqual([again.status, again.json.code], [401, "unauthenticated"])
      assert.isNull(again.headers.get("set-cookie"))
      // The link is in no URL that a server sees: a GET does nothing.
      assert.include([404, 405], (yield* gateway.request(`/auth/link?secret=${yield* linkFor(gateway)}`)).status)
    })
  )

  it.live("lets the cookie change data only with the header of its sign-in, until it is signed out", () =>
    Effect.gen(function* () {
      const gateway = yield* Gateway.start()
      const { cookie, csrf } = yield* signedIn(gateway)
      const other = yield* signedIn(gateway)
      const create = (headers: Readonly<Record<string, string>>) =>
        gateway.request("/api/v1/sessions", { body: {}, headers: { cookie, ...headers } })
      const me = yield* gateway.request("/auth/me", { headers: { cookie } })
      assert.deepInclude(me.json, { tenant: "acme", user: "ann", scopes: ["read", "chat"], csrf, isOperator: false })

      for (const headers of [{}, { "x-csrf-token": "" }, { "x-csrf-token": other.csrf }, { "x-csrf-token": cookie }]) {
        const answer = yield* create(headers as Record<string, string>)
        assert.deepStrictEqual([answer.status, answer.json.code], [403, "csrf_failed"], JSON.stringify(headers))
      }
      const foreign = yield* create({ "x-csrf-token": csrf, "sec-fetch-site": "cross-site" })
      assert.strictEqual(foreign.status, 403)
      assert.strictEqual((yield* create({ "x-csrf-token": csrf, origin: gateway.url })).status, 201)
      // A wrong token beside a good cookie is a wrong token.
      assert.strictEqual((yield* create({ "x-csrf-token": csrf, authorization: "Bearer x" })).status, 401)

      assert.strictEqual(
        (yield* gateway.request("/auth/sign-out", { method: "POST", headers: { cookie } })).status,
        403
      )
      const out = yield* gateway.request("/auth/sign-out", {
        method: "POST",
        headers: { cookie, "x-csrf-token": csrf }
      })
      assert.strictEqual(out.status, 204)
      assert.include(out.headers.get("set-cookie") ?? "", "Max-Age=0")
      assert.strictEqual((yield* gateway.request("/auth/me", { headers: { cookie } })).status, 401)
      assert.strictEqual((yield* gateway.request("/auth/me", { headers: { cookie: other.cookie } })).status, 200)
    })
  )

  it.live("signs in with a token, and ends the cookie with it", () =>
    Effect.gen(function* () {
      const gateway = yield* Gateway.start()
      const token = yield* Gateway.user(gateway, "acme/ann", ["read", "admin"])
      const answer = yield* gateway.request("/auth/token", { body: { token } })
      assert.deepInclude(answer.json, { user: "ann", scopes: ["read", "admin"] })
      const headers = { cookie: (answer.headers.get("set-cookie") ?? "").split(";")[0] }
      assert.strictEqual((yield* gateway.request("/api/v1/sessions", { headers })).status, 200)
      assert.strictEqual(
        (yield* gateway.request("/auth/token", { body: { token: headers.cookie.split("=")[1] } })).status,
        401
      )
      assert.strictEqual((yield* gateway.request("/auth/sign-out", { method: "POST", token })).status, 204)
      assert.strictEqual((yield* gateway.request("/api/v1/sessions", { headers })).status, 401)
    })
  )

  it.live(
    "signs in at a provider with redirects, in the browser that started it",
    () =>
      Effect.gen(function* () {
        // The port is chosen first: the provider knows the redirect address before the gateway listens.
        const port = yield* Effect.promise(
          () =>
            new Promise<number>((resolve) => {
              const server = createServer().listen(0, "127.0.0.1", () => {
                const found = (server.address() as AddressInfo).port
                server.close(() => resolve(found))
              })
            })
        )
        const publicUrl = `http://localhost:${port}`
        const child = yield* ChildProcess.startBeside(import.meta.url)("provider", [
          `${publicUrl}/auth/openid/callback`
        ])
        const issuer = (yield* child.line) ?? ""
        const gateway = yield* Gateway.start({
          access: {
            publicUrl,
            openid: {
              issuer,
              clientId: "bough",
              clientSecretVariable: "PROVIDER_SECRET",
              name: "Example",
              tenant: acme,
              scopes: ["read"],
              addUsers: true
            }
          },
          variables: { PROVIDER_SECRET: "a secret of the client" }
        })
        yield* Gateway.user(gateway, "acme/ann")
        const methods = yield* gateway.request("/auth/methods")
        assert.deepStrictEqual(methods.json, { link: true, token: true, openid: { name: "Example" } })

        const begun = yield* gateway.request("/auth/openid", { method: "POST" })
        const stateLine = begun.headers.get("set-cookie") ?? ""
        for (const attribute of ["HttpOnly", "SameSite=Lax", "Max-Age=600"]) assert.include(stateLine, attribute)
        const cookie = stateLine.split(";")[0]
        const back = yield* Effect.promise(() =>
          Browser.make().visit(begun.json.url, { "x-account": "carol" }, `${publicUrl}/auth/openid/callback`)
        )
        const finish = (headers: Record<string, string>) =>
          rawRequest(gateway.url, { path: back.pathname + back.search, headers })
        const stranger = yield* finish({})
        assert.deepStrictEqual(
          [stranger.status, stranger.headers["location"]],
          [303, `${publicUrl}/sign-in?error=expired`]
        )
        const done = yield* finish({ cookie })
        assert.deepStrictEqual([done.status, done.headers["location"]], [303, `${publicUrl}/`])
        const session = (done.headers["set-cookie"] as ReadonlyArray<string>).find((line) =>
          line.startsWith("bough_session=")
        )
        const me = yield* gateway.request("/auth/me", { headers: { cookie: (session ?? "").split(";")[0] } })
        assert.deepInclude(me.json, { tenant: "acme", user: "carol", scopes: ["read"] })
        assert.include(String((yield* finish({ cookie })).headers["location"]), "error=expired")
      }),
    thoroughOnly
  )
})

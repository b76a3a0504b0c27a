/** Sign-in at a real provider, which runs in a process of its own. */
import { ChildProcess } from "@bough/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { thoroughOnly } from "../../../../test/thorough.ts"
import { UserId } from "../../src/accounts/Principal.ts"
import type { OpenIdSettings } from "../../src/auth/AuthSettings.ts"
import * as OpenIdConnect from "../../src/auth/OpenIdConnect.ts"
import { layer } from "../accounts/database.ts"
import { acme, actor, addPeople, ann } from "../accounts/people.ts"
import * as Browser from "./Browser.ts"

const redirectUrl = "http://127.0.0.1:4100/auth/openid/callback"

const start = (overrides: Partial<OpenIdSettings> = {}) =>
  Effect.gen(function* () {
    const child = yield* ChildProcess.startBeside(import.meta.url)("provider", [redirectUrl])
    const issuer = (yield* child.line) ?? ""
    const settings: OpenIdSettings = { issuer, clientId: "bough", tenant: acme, scopes: ["read", "chat"], ...overrides }
    const make = (secret: string, change: Partial<OpenIdSettings> = {}) =>
      OpenIdConnect.make({
        settings: { ...settings, ...change },
        clientSecret: Redacted.make(secret),
        redirectUrl,
        cookieLifetimeMillis: 60_000
      })
    return { child, issuer, make, openid: yield* make("a secret of the client") }
  })

type Service = OpenIdConnect.OpenIdConnect["Service"]

/** Signs in at the provider as that account; returns the address that it redirects the browser to. */
const authorize = Effect.fnUntraced(function* (openid: Service, account: string) {
  const { state, url } = yield* openid.begin
  const back = yield* Effect.promise(() => Browser.make().visit(url, { "x-account": account }, redirectUrl))
  return { state, url: back, address: "127.0.0.1" }
})

const codeOf = (openid: Service, callback: Parameters<Service["finish"]>[0]) =>
  Effect.map(Effect.flip(openid.finish(callback)), ({ code }) => code)

describe("OpenIdConnect", () => {
  it.live("adds a user at the first sign-in and finds it at the next, with the current scopes", () =>
    Effect.gen(function* () {
      const accounts = yield* addPeople
      const { openid } = yield* start({ addUsers: true })
      const first = yield* openid.finish(yield* authorize(openid, "Carol Smith"))
      const principal = yield* accounts.authenticate(first.secret)
      assert.deepInclude(principal, { tenant: acme, user: UserId.make("carol-smith"), kind: "cookie" })
      assert.deepStrictEqual([...principal.scopes], ["read", "chat"])
      yield* accounts.setUserScopes({ tenant: acme, user: principal.user, scopes: ["read"] }, actor)
      const second = yield* openid.finish(yield* authorize(openid, "Carol Smith"))
      const later = yield* accounts.authenticate(second.secret)
      assert.strictEqual(later.user, principal.user)
      assert.deepStrictEqual([...later.scopes], ["read"])
      yield* accounts.removeUser({ tenant: acme, user: principal.user }, actor)
      assert.strictEqual(yield* codeOf(openid, yield* authorize(openid, "Carol Smith")), "name-taken")
    }).pipe(Effect.provide(layer))
  )

  it.live(
    "takes over no existing user of the same name, until an admin links the identity",
    () =>
      Effect.gen(function* () {
        const accounts = yield* addPeople
        const { issuer, openid } = yield* start({ addUsers: true })
        assert.strictEqual(yield* codeOf(openid, yield* authorize(openid, "ann")), "name-taken")
        yield* accounts.linkIdentity({ issuer, subject: "ann" }, { tenant: acme, user: ann }, actor)
        const { credential } = yield* openid.finish(yield* authorize(openid, "ann"))
        assert.strictEqual(credential.user, ann)
      }).pipe(Effect.provide(layer)),
    thoroughOnly
  )

  it.live(
    "accepts only users with the required claims, and adds none if it may not",
    () =>
      Effect.gen(function* () {
        const accounts = yield* addPeople
        const { make, openid } = yield* start({ addUsers: true, requiredClaims: { groups: "staff" } })
        assert.strictEqual(yield* codeOf(openid, yield* authorize(openid, "mallory")), "unknown-user")
        const closed = yield* make("a secret of the client", { addUsers: false })
        assert.strictEqual(yield* codeOf(closed, yield* authorize(closed, "dave")), "unknown-user")
        assert.deepStrictEqual(
          (yield* accounts.users(acme)).map(({ user }) => String(user)),
          ["ann", "bob"]
        )
      }).pipe(Effect.provide(layer)),
    thoroughOnly
  )

  it.live(
    "finishes a sign-in once, in the browser that began it, with its own code",
    () =>
      Effect.gen(function* () {
        yield* addPeople
        const { make, openid } = yield* start({ addUsers: true })
        const mine = yield* authorize(openid, "carol")
        const other = yield* authorize(openid, "erin")
        for (const state of [undefined, "", other.state])
          assert.strictEqual(yield* codeOf(openid, { ...mine, state }), "expired")

        // The code of another sign-in under this state: its verifier and nonce differ.
        const mixed = new URL(mine.url)
        mixed.searchParams.set("code", other.url.searchParams.get("code")!)
        assert.strictEqual(yield* codeOf(openid, { ...mine, url: mixed }), "rejected")
        assert.strictEqual(yield* codeOf(openid, mine), "expired")

        const good = yield* authorize(openid, "carol")
        yield* openid.finish(good)
        assert.strictEqual(yield* codeOf(openid, good), "expired")

        const impostor = yield* make("another secret")
        assert.strictEqual(yield* codeOf(impostor, yield* authorize(impostor, "carol")), "rejected")
        assert.strictEqual(yield* codeOf(openid, yield* authorize(openid, "denied")), "denied")
      }).pipe(Effect.provide(layer)),
    thoroughOnly
  )

  it.live(
    "stores no state and prints no secret when it fails; an unreachable provider is named",
    () =>
      Effect.gen(function* () {
        yield* addPeople
        const { child, make, openid } = yield* start({ addUsers: true })
        const { state, url } = yield* openid.begin
        const sql = yield* SqlClient
        const stored = JSON.stringify(yield* sql`SELECT * FROM openid_requests`)
        assert.notInclude(stored, state)
        const challenge = new URL(url).searchParams
        assert.strictEqual(challenge.get("code_challenge_method"), "S256")
        assert.isNull(challenge.get("client_secret"))
        yield* child.kill
        const away = yield* make("a secret of the client")
        const error = yield* Effect.flip(away.begin)
        assert.strictEqual(error.code, "unavailable")
        assert.notInclude(error.reason, "a secret of the client")
      }).pipe(Effect.provide(layer)),
    thoroughOnly
  )
})

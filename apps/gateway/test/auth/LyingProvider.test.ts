/** Answers of a provider, or of a machine between, with a false or missing part: they sign no user in. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { vi } from "vitest"
import type { OpenIdSettings } from "../../src/auth/AuthSettings.ts"
import * as OpenIdConnect from "../../src/auth/OpenIdConnect.ts"
import { layer } from "../accounts/database.ts"
import { acme, addPeople } from "../accounts/people.ts"
import * as LyingProvider from "./LyingProvider.ts"

const redirectUrl = "http://127.0.0.1:4100/auth/openid/callback"

const start = Effect.gen(function* () {
  yield* addPeople
  const provider = yield* LyingProvider.start
  const settings: OpenIdSettings = {
    issuer: provider.issuer,
    clientId: "bough",
    tenant: acme,
    scopes: ["read"],
    addUsers: true
  }
  const make = OpenIdConnect.make({ settings, clientSecret: null, redirectUrl, cookieLifetimeMillis: 60_000 })
  const openid = yield* make
  /** Signs in while the provider lies; returns the user, or the code of the failure. */
  const signIn = (lies: LyingProvider.Lies, service = openid) =>
    Effect.gen(function* () {
      provider.lie(lies)
      const { state, url } = yield* service.begin
      const back = provider.back(url, redirectUrl)
      const { credential } = yield* service.finish({ url: back, state, address: "127.0.0.1" })
      return String(credential.user)
    }).pipe(Effect.catchTag("OpenIdFailed", ({ code }) => Effect.succeed(code)))
  return { provider, make, signIn }
})

const anHourAgo = Math.floor(Date.now() / 1000) - 3_600

const lies: Readonly<Record<string, LyingProvider.Lies>> = {
  "another issuer": { claims: { iss: "http://127.0.0.1:1" } },
  "another client": { claims: { aud: "other" } },
  "two clients, of which this one did not ask": { claims: { aud: ["bough", "other"], azp: "other" } },
  "another nonce": { claims: { nonce: "mine" } },
  "no nonce": { claims: { nonce: undefined } },
  "an end that is past": { claims: { exp: anHourAgo } },
  "no end": { claims: { exp: undefined } },
  "no subject": { claims: { sub: undefined } },
  "no signature": { header: { alg: "none" }, signature: () => "" },
  "the signature of another key": { signature: (signed) => LyingProvider.signWith(LyingProvider.foreignKey, signed) },
  "a signature of another text": { signature: () => LyingProvider.signWith(LyingProvider.foreignKey, "x") },
  "a signature by the public key": {
    header: { alg: "HS256" },
    signature: (signed, published) => LyingProvider.hmac(JSON.stringify(published), signed)
  },
  "the profile of another subject": { profile: { sub: "root" } }
}

/** Moves the clock, since keys are not fetched more often than once a minute. */
const aMinuteLater = Effect.acquireRelease(
  Effect.sync(() => vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ["Date"] })),
  () => Effect.sync(() => vi.useRealTimers())
)

describe("a provider", () => {
  it.live("signs no user in by a token with a false or missing part", () =>
    Effect.gen(function* () {
      const { signIn } = yield* start
      for (const [name, lie] of Object.entries(lies)) assert.strictEqual(yield* signIn(lie), "rejected", name)
      assert.strictEqual(yield* signIn({}), "carol")
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.live("whose metadata names another issuer is unavailable", () =>
    Effect.gen(function* () {
      const { make, signIn } = yield* start
      assert.strictEqual(yield* signIn({ metadata: { issuer: "http://127.0.0.1:1" } }, yield* make), "unavailable")
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

  it.live("may change its key, after which the old one signs no user in", () =>
    Effect.gen(function* () {
      const { provider, signIn } = yield* start
      assert.strictEqual(yield* signIn({}), "carol")
      const before = provider.rotate("second")
      yield* aMinuteLater
      assert.strictEqual(yield* signIn({}), "carol")
      const signature = (signed: string) => LyingProvider.signWith(before, signed)
      assert.strictEqual(yield* signIn({ signature }), "rejected")
      assert.strictEqual(yield* signIn({ header: { kid: "first" }, signature }), "rejected")
    }).pipe(Effect.scoped, Effect.provide(layer))
  )
})

/** Users and credentials in a real database: the rights of a secret, its lifetime, and its revocation. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { readFileSync, statSync } from "node:fs"
import { inspect } from "node:util"
import * as AccessScope from "../../src/accounts/AccessScope.ts"
import { Accounts } from "../../src/accounts/Accounts.ts"
import { AuditLog } from "../../src/accounts/AuditLog.ts"
import * as FirstAdmin from "../../src/accounts/FirstAdmin.ts"
import { TenantId, UserId } from "../../src/accounts/Principal.ts"
import * as GatewayDatabase from "../../src/database/GatewayDatabase.ts"
import { layer, layerIn, temporaryFolder } from "./database.ts"
import { acme, actor, addPeople, ann, bob, globex, tokenOf } from "./people.ts"

const rejected = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
  const accounts = yield* Accounts
  return yield* Effect.flip(accounts.authenticate(secret))
})

const scopeSets = Schema.Struct({
  user: Schema.Array(AccessScope.AccessScope),
  token: Schema.Array(AccessScope.AccessScope),
  later: Schema.Array(AccessScope.AccessScope)
})

describe("Accounts", () => {
  it.effect("names tenant, user, scopes and expiry of a token's holder", () =>
    Effect.gen(function* () {
      const accounts = yield* addPeople
      const { credential, secret } = yield* tokenOf(acme, ann, { scopes: ["chat", "read"], lifetimeMillis: 1000 })
      const principal = yield* accounts.authenticate(secret)
      assert.deepStrictEqual(principal, {
        tenant: acme,
        user: ann,
        scopes: new Set<AccessScope.AccessScope>(["read", "chat"]),
        kind: "token",
        tokenId: credential.tokenId,
        expiresAtMillis: 1000,
        isOperator: false
      })
    }).pipe(Effect.provide(layer))
  )

  it.effect.prop(
    "never gives a token more than it was issued with and its user holds now",
    [Schema.Array(scopeSets).check(Schema.isMinLength(20), Schema.isMaxLength(20))],
    ([cases]) =>
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const tenant = TenantId.make("t")
        yield* accounts.addTenant({ tenant, name: "t" }, actor)
        for (const [index, { later, token, user: scopes }] of cases.entries()) {
          const user = UserId.make(`u${index}`)
          yield* accounts.addUser({ tenant, user, name: "u", scopes }, actor)
          const issued = yield* Effect.result(
            accounts.issue({ tenant, user, scopes: token, label: "", lifetimeMillis: null }, actor)
          )
          assert.strictEqual(
            issued._tag === "Success",
            token.every((scope) => scopes.includes(scope))
          )
          if (issued._tag === "Failure") continue
          yield* accounts.setUserScopes({ tenant, user, scopes: later }, actor)
          const principal = yield* accounts.authenticate(issued.success.secret)
          assert.deepStrictEqual([...principal.scopes], AccessScope.intersection(token, later))
        }
      }).pipe(Effect.provide(layer)),
    { arbitrary: { runs: 3 } }
  )

  it.effect("rejects an expired token from the millisecond of its expiry on", () =>
    Effect.gen(function* () {
      const accounts = yield* addPeople
      const { secret } = yield* tokenOf(acme, ann, { lifetimeMillis: 1000 })
      yield* TestClock.adjust(999)
      yield* accounts.authenticate(secret)
      yield* TestClock.adjust(1)
      assert.isFalse((yield* rejected(secret)).isGuess)
    }).pipe(Effect.provide(layer))
  )

  it.effect("rejects a secret with any character changed, and counts it as a guess", () =>
    Effect.gen(function* () {
      yield* addPeople
      const text = Redacted.value((yield* tokenOf(acme, ann)).secret)
      for (let index = 0; index < text.length; index++) {
        const other = text[index] === "A" ? "B" : "A"
        const changed = text.slice(0, index) + other + text.slice(index + 1)
        assert.isTrue((yield* rejected(Redacted.make(changed))).isGuess, `at ${index}`)
      }
    }).pipe(Effect.provide(layer))
  )

  it.effect("stores no secret and shows none in lists, records, errors and inspected values", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* Effect.gen(function* () {
        const accounts = yield* addPeople
        const audit = yield* AuditLog
        const sql = yield* SqlClient
        const token = yield* tokenOf(acme, ann)
        const link = yield* accounts.issueLink(
          { tenant: acme, user: ann, scopes: ["read"], label: "", lifetimeMillis: 1000 },
          actor
        )
        const cookie = yield* accounts.signIn(link.secret, { lifetimeMillis: 1000, address: null })
        const error = yield* rejected(link.secret)
        const shown = inspect(
          [
            token,
            link,
            cookie,
            error,
            yield* accounts.credentials(acme),
            yield* audit.list({ tenant: null, limit: 100 }),
            yield* sql`SELECT * FROM credentials`
          ],
          { depth: 9 }
        )
        const path = GatewayDatabase.fileIn(folder)
        const stored = ["", "-wal"].map((suffix) => readFileSync(path + suffix, "latin1")).join("")
        for (const { secret } of [token, link, cookie]) {
          const text = Redacted.value(secret)
          const opening = text.slice(text.lastIndexOf("_", 28) + 1)
          assert.notInclude(shown, opening)
          assert.notInclude(stored, opening)
        }
        assert.strictEqual(statSync(path).mode & 0o777, 0o600)
      }).pipe(Effect.provide(layerIn(folder)))
    })
  )

  it.effect("exchanges a sign-in link once, also of two attempts at the same time", () =>
    Effect.gen(function* () {
      const accounts = yield* addPeople
      const { secret } = yield* accounts.issueLink(
        { tenant: acme, user: ann, scopes: ["read", "chat"], label: "", lifetimeMillis: 60_000 },
        actor
      )
      const attempts = yield* Effect.all(
        Array.from({ length: 5 }, () =>
          Effect.result(accounts.signIn(secret, { lifetimeMillis: 1000, address: "127.0.0.1" }))
        ),
        { concurrency: "unbounded" }
      )
      const cookies = attempts.filter((attempt) => attempt._tag === "Success")
      assert.lengthOf(cookies, 1)
      const principal = yield* accounts.authenticate(cookies[0].success.secret)
      assert.strictEqual(principal.kind, "cookie")
      assert.deepStrictEqual([...principal.scopes], ["read", "chat"])
    }).pipe(Effect.provide(layer))
  )

  it.effect("accepts no link as a credential, and no cookie for a sign-in", () =>
    Effect.gen(function* () {
      const accounts = yield* addPeople
      const request = { tenant: acme, user: ann, scopes: AccessScope.all, label: "", lifetimeMillis: 60_000 }
      const link = yield* accounts.issueLink(request, actor)
      const cookie = yield* accounts.issueCookie(request, actor)
      yield* rejected(link.secret)
      yield* Effect.flip(accounts.signIn(cookie.secret, { lifetimeMillis: 1000, address: null }))
      yield* accounts.authenticate(cookie.secret)
    }).pipe(Effect.provide(layer))
  )

  it.effect("signs in with a token: the cookie has no more rights, lives no longer and is revoked with it", () =>
    Effect.gen(function* () {
      const accounts = yield* addPeople
      const options = { lifetimeMillis: 5000, address: null }
      const short = yield* tokenOf(acme, ann, { scopes: ["read"], lifetimeMillis: 1000 })
      const long = yield* tokenOf(acme, ann)
      const [ofShort, ofLong] = [
        yield* accounts.signIn(short.secret, options),
        yield* accounts.signIn(long.secret, options)
      ]
      assert.deepStrictEqual([...(yield* accounts.authenticate(ofShort.secret)).scopes], ["read"])
      assert.deepStrictEqual([ofShort.credential.expiresAtMillis, ofLong.credential.expiresAtMillis], [1000, 5000])
      yield* accounts.revoke({ tenant: acme, tokenId: long.credential.tokenId }, actor)
      yield* rejected(ofLong.secret)
      yield* accounts.authenticate(ofShort.secret)
    }).pipe(Effect.provide(layer))
  )

  it.effect("ends every credential with its token, its user or its tenant, and leaves the others", () =>
    Effect.gen(function* () {
      const accounts = yield* addPeople
      const [one, other] = [yield* tokenOf(acme, ann), yield* tokenOf(acme, ann)]
      const [colleague, stranger] = [yield* tokenOf(acme, bob), yield* tokenOf(globex, ann)]
      yield* accounts.revoke({ tenant: acme, tokenId: one.credential.tokenId }, actor)
      yield* rejected(one.secret)
      yield* accounts.authenticate(other.secret)
      yield* accounts.removeUser({ tenant: acme, user: ann }, actor)
      yield* rejected(other.secret)
      yield* accounts.authenticate(colleague.secret)
      yield* accounts.removeTenant(acme, actor)
      yield* rejected(colleague.secret)
      yield* accounts.authenticate(stranger.secret)
      assert.deepStrictEqual(
        (yield* accounts.tenants).map(({ tenant }) => tenant),
        [globex]
      )
    }).pipe(Effect.provide(layer))
  )

  it.effect("revokes nothing for another tenant, and nothing of another user if one is named", () =>
    Effect.gen(function* () {
      const accounts = yield* addPeople
      const { credential, secret } = yield* tokenOf(acme, ann)
      const { tokenId } = credential
      for (const whose of [{ tenant: globex }, { tenant: globex, user: ann }, { tenant: acme, user: bob }])
        assert.strictEqual((yield* Effect.flip(accounts.revoke({ ...whose, tokenId }, actor)))._tag, "AccountNotFound")
      yield* accounts.authenticate(secret)
    }).pipe(Effect.provide(layer))
  )

  it.effect("never reuses the id of a removed user", () =>
    Effect.gen(function* () {
      const accounts = yield* addPeople
      yield* accounts.removeUser({ tenant: acme, user: ann }, actor)
      const again = accounts.addUser({ tenant: acme, user: ann, name: "another Ann", scopes: [] }, actor)
      assert.strictEqual((yield* Effect.flip(again))._tag, "AccountExists")
      yield* accounts.removeTenant(globex, actor)
      const newTenant = accounts.addTenant({ tenant: globex, name: "another" }, actor)
      assert.strictEqual((yield* Effect.flip(newTenant))._tag, "AccountExists")
    }).pipe(Effect.provide(layer))
  )

  it.effect("signs in the linked user of an identity, until the user is removed", () =>
    Effect.gen(function* () {
      const accounts = yield* addPeople
      const identity = { issuer: "https://id.test", subject: "42" }
      assert.isNull(yield* accounts.userOfIdentity(identity))
      yield* accounts.linkIdentity(identity, { tenant: acme, user: ann }, actor)
      assert.strictEqual((yield* accounts.userOfIdentity(identity))?.user, ann)
      assert.isNull(yield* accounts.userOfIdentity({ ...identity, issuer: "https://other.test" }))
      yield* accounts.removeUser({ tenant: acme, user: ann }, actor)
      assert.isNull(yield* accounts.userOfIdentity(identity))
    }).pipe(Effect.provide(layer))
  )

  it.effect("records who did what, for the tenant alone", () =>
    Effect.gen(function* () {
      const accounts = yield* addPeople
      const audit = yield* AuditLog
      const { credential } = yield* tokenOf(acme, ann)
      const by = { tenant: acme, user: bob, tokenId: credential.tokenId, address: "192.0.2.1" }
      yield* accounts.setUserScopes({ tenant: acme, user: ann, scopes: ["read"] }, by)
      const [newest, ...older] = yield* audit.list({ tenant: acme, limit: 100 })
      assert.deepInclude(newest, { action: "user.scopes-changed", actor: by, subject: "ann", detail: "read" })
      assert.deepStrictEqual(
        older.map(({ action }) => action),
        ["token.issued", "user.added", "user.added", "tenant.added"]
      )
      const all = yield* audit.list({ tenant: null, limit: 100 })
      assert.deepStrictEqual(
        all.map(({ seq }) => seq),
        [8, 7, 6, 5, 4, 3, 2, 1]
      )
      assert.lengthOf(yield* audit.list({ tenant: null, limit: 2, beforeSeq: 4 }), 2)
    }).pipe(Effect.provide(layer))
  )

  it.live("ends open streams when their credential is revoked or loses scopes, and no others", () =>
    Effect.gen(function* () {
      const accounts = yield* addPeople
      const [revoked, narrowed, other] = [
        yield* tokenOf(acme, ann),
        yield* tokenOf(acme, bob),
        yield* tokenOf(globex, ann)
      ]
      const streams = yield* Effect.forEach([revoked, narrowed, other], ({ secret }) =>
        Effect.flatMap(accounts.authenticate(secret), (principal) => Effect.forkChild(accounts.untilEnded(principal)))
      )
      const first = yield* Effect.forkChild(Stream.runHead(accounts.revocations))
      yield* Effect.sleep("20 millis")
      yield* accounts.revoke({ tenant: acme, tokenId: revoked.credential.tokenId }, actor)
      yield* accounts.setUserScopes({ tenant: acme, user: bob, scopes: ["read"] }, actor)
      for (const stream of streams.slice(0, 2)) yield* Fiber.join(stream)
      assert.deepStrictEqual((yield* Fiber.join(first)).valueOrUndefined, revoked.credential.tokenId)
      assert.isUndefined(streams[2].pollUnsafe())
    }).pipe(Effect.provide(layer))
  )

  it.effect("ends an open stream at the expiry of its credential, and not before", () =>
    Effect.gen(function* () {
      const accounts = yield* addPeople
      const { secret } = yield* tokenOf(acme, ann, { lifetimeMillis: 1000 })
      const stream = yield* Effect.forkChild(accounts.untilEnded(yield* accounts.authenticate(secret)))
      yield* TestClock.adjust(999)
      assert.isUndefined(stream.pollUnsafe())
      yield* TestClock.adjust(1)
      yield* Fiber.join(stream)
    }).pipe(Effect.provide(layer))
  )

  it.effect("ends at once a stream whose credential was revoked before it began", () =>
    Effect.gen(function* () {
      const accounts = yield* addPeople
      const { credential, secret } = yield* tokenOf(acme, ann)
      const principal = yield* accounts.authenticate(secret)
      yield* accounts.revoke({ tenant: acme, tokenId: credential.tokenId }, actor)
      yield* accounts.untilEnded(principal)
    }).pipe(Effect.provide(layer))
  )

  it.effect("invites the first admin until one has signed in, with one link at a time", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const first = yield* FirstAdmin.invite
      const second = yield* FirstAdmin.invite
      assert.isNotNull(first)
      assert.isNotNull(second)
      yield* Effect.flip(accounts.signIn(first.link.secret, { lifetimeMillis: 1000, address: null }))
      yield* Effect.flip(accounts.authenticate(first.token.secret))
      yield* accounts.authenticate(second.token.secret)
      const third = yield* FirstAdmin.invite
      assert.isNotNull(third)
      // A program uses this credential, and a restart must not lock the program out.
      yield* accounts.authenticate(second.token.secret)
      const { secret } = yield* accounts.signIn(third.link.secret, { lifetimeMillis: 1000, address: null })
      const principal = yield* accounts.authenticate(secret)
      assert.isTrue(principal.isOperator && principal.scopes.has("admin"))
      assert.isNull(yield* FirstAdmin.invite)
    }).pipe(Effect.provide(layer))
  )
})

describe("GatewayDatabase", () => {
  it.effect("keeps its data when it is opened again, by two processes at the same time", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const open = Effect.provide(
        Effect.flatMap(Accounts, ({ tenants }) => tenants),
        layerIn(folder)
      )
      assert.deepStrictEqual(yield* Effect.all([open, open, open], { concurrency: 3 }), [[], [], []])
      yield* Effect.provide(addPeople, layerIn(folder))
      assert.lengthOf(yield* open, 2)
    })
  )

  it.effect("refuses a database of a later version, and leaves it unchanged", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* Effect.provide(
        Effect.flatMap(SqlClient, (sql) => sql`INSERT INTO gateway_steps VALUES ('accounts-9999', 0)`),
        layerIn(folder)
      )
      const error = yield* Effect.flip(Effect.provide(Effect.void, GatewayDatabase.layer(folder)))
      assert.include(error.message, "later version")
    })
  )
})

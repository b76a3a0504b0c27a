/** The commands about users: their effect in the store, their output, and their errors in one line. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Accounts } from "../../src/accounts/Accounts.ts"
import { AuditLog } from "../../src/accounts/AuditLog.ts"
import { layerIn, temporaryFolder } from "../accounts/database.ts"
import { runIn } from "./CommandLine.ts"

describe("commands about users", () => {
  it.live("add a tenant, a user and a token that authenticates, and revoke each", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const run = runIn(folder)
      const authenticate = (secret: string) =>
        Effect.flatMap(Accounts, (accounts) => Effect.result(accounts.authenticate(Redacted.make(secret)))).pipe(
          Effect.provide(layerIn(folder))
        )

      assert.isNull((yield* run("tenant", "add", "acme", "--name", "Acme Inc.")).error)
      const added = yield* run("user", "add", "acme/ann", "--scopes", "read,chat")
      assert.match(added.stdout, /\/sign-in#bough_link_[0-9a-f]{16}_/)
      const issued = yield* run("token", "add", "acme/ann", "--scopes", "read", "--days", "1", "--label", "laptop")
      assert.match(issued.stdout, /^bough_token_[0-9a-f]{16}_[\w-]{43}$/)
      const principal = yield* authenticate(issued.stdout)
      assert.strictEqual(principal._tag, "Success")

      const list = yield* run("token", "list", "acme")
      const id = issued.stdout.split("_")[2]
      assert.match(list.stdout, new RegExp(`${id} +token +acme/ann +read +\\S+ \\S+ +\\S+ \\S+ +laptop`))
      assert.notInclude(list.stdout, issued.stdout.slice(-43))
      const json = JSON.parse((yield* run("user", "list", "--json")).stdout) as ReadonlyArray<{ readonly user: string }>
      assert.deepStrictEqual(
        json.map(({ user }) => user),
        ["ann"]
      )

      assert.isNull((yield* run("token", "revoke", id)).error)
      assert.strictEqual((yield* authenticate(issued.stdout))._tag, "Failure")
      const second = yield* run("token", "add", "acme/ann", "--scopes", "read")
      assert.isNull((yield* run("user", "scopes", "acme/ann", "--scopes", "chat")).error)
      assert.isNull((yield* run("user", "revoke", "acme/ann")).error)
      assert.strictEqual((yield* authenticate(second.stdout))._tag, "Failure")
      assert.isNull((yield* run("tenant", "revoke", "acme")).error)
      assert.notInclude((yield* run("tenant", "list")).stdout, "acme")

      const actions = yield* Effect.flatMap(AuditLog, (audit) => audit.list({ tenant: null, limit: 100 })).pipe(
        Effect.provide(layerIn(folder))
      )
      assert.deepStrictEqual(actions.map(({ action }) => action).toReversed(), [
        "tenant.added",
        "user.added",
        "link.issued",
        "token.issued",
        "token.revoked",
        "token.issued",
        "user.scopes-changed",
        "user.removed",
        "tenant.removed"
      ])
    })
  )

  it.live("set quotas, and print the usage", () =>
    Effect.gen(function* () {
      const run = runIn(yield* temporaryFolder)
      yield* run("tenant", "add", "acme")
      const set = yield* run("tenant", "quota", "acme", "--sessions", "5", "--storage", "1000000")
      assert.match(set.stdout, /sessions +0 +5/)
      const changed = yield* run("tenant", "quota", "acme", "--sessions", "none")
      assert.match(changed.stdout, /sessions +0 +none/)
      assert.match(changed.stdout, /storage +0 +1000000/)
    })
  )

  it.live("report the error, and change nothing", () =>
    Effect.gen(function* () {
      const run = runIn(yield* temporaryFolder)
      yield* run("tenant", "add", "acme")
      for (const [args, expected] of [
        [["tenant", "add", "acme"], "is in use or was used before"],
        [["user", "add", "nope/ann"], 'no tenant "nope"'],
        [["user", "revoke", "acme/ann"], 'no user "ann"'],
        [["user", "link", "acme/ann"], 'no user "acme/ann"'],
        [["token", "add", "acme/ann"], 'no user "ann"'],
        [["token", "revoke", "0123456789abcdef"], "no token"],
        [["tenant", "quota", "nope"], 'no tenant "nope"']
      ] as const) {
        const { error, stdout } = yield* run(...args)
        assert.include(error ?? "", expected, args.join(" "))
        assert.strictEqual(stdout, "")
      }
      for (const args of [
        ["tenant", "add", "Not-An-Id"],
        ["tenant", "add", "../up"],
        ["user", "add", "acme"],
        ["user", "add", "acme/a/b"],
        ["user", "add", "acme/ann", "--scopes", "root"],
        ["token", "add", "acme/ann", "--days", "0"],
        ["tenant", "quota", "acme", "--sessions", "-1"]
      ])
        assert.isNotNull((yield* run(...args)).error, args.join(" "))
      assert.strictEqual((yield* run("user", "list", "--json")).stdout, "[]")
    })
  )
})

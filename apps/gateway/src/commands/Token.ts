/** `token`: issues, lists and revokes credentials. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as AccessScope from "../accounts/AccessScope.ts"
import { AccountNotFound, Accounts } from "../accounts/Accounts.ts"
import { commandLine } from "../accounts/AuditLog.ts"
import { TokenId } from "../accounts/Principal.ts"
import { json, scopes, tenant, user } from "./AccountArguments.ts"
import { formatTime, onAccounts, printRows } from "./AccountsCommand.ts"

const dayMillis = 24 * 60 * 60_000

const days = Flag.Int("days").pipe(
  Flag.filter(
    (days) => days >= 1 && days <= 3650,
    () => "1 to 3650 days"
  ),
  Flag.withDescription("Days until the token expires; without it the token does not expire"),
  Flag.optional
)

const label = Flag.String("label").pipe(
  Flag.withDescription("What the token is for, as lists show it"),
  Flag.withDefault("")
)

const add = Command.make("add", { user, scopes, days, label }, ({ days, label, scopes, user }) =>
  onAccounts(
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const lifetimeMillis = Option.isSome(days) ? days.value * dayMillis : null
      const { credential, secret } = yield* accounts.issue({ ...user, scopes, label, lifetimeMillis }, commandLine)
      yield* Console.error(
        `token ${credential.tokenId} of ${user.tenant}/${user.user} with ${AccessScope.toText(scopes)}; it is shown once:`
      )
      yield* Console.log(Redacted.value(secret))
    })
  )
).pipe(Command.withDescription("Issue a bearer token; standard output contains only the token"))

const list = Command.make("list", { tenant: Argument.optional(tenant), json }, ({ json, tenant }) =>
  onAccounts(
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const tenants = Option.isSome(tenant) ? [tenant.value] : (yield* accounts.tenants).map((one) => one.tenant)
      const credentials = (yield* Effect.forEach(tenants, (one) => accounts.credentials(one))).flat()
      yield* printRows(credentials, {
        json,
        columns: {
          ID: (one) => one.tokenId,
          KIND: (one) => one.kind,
          USER: (one) => `${one.tenant}/${one.user}`,
          SCOPES: (one) => AccessScope.toText(one.scopes),
          EXPIRES: (one) => formatTime(one.expiresAtMillis, "never"),
          USED: (one) => formatTime(one.lastUsedAtMillis, "never"),
          LABEL: (one) => one.label
        }
      })
    })
  )
).pipe(Command.withDescription("List tokens, cookies and unused sign-in links"))

const tokenId = Argument.String("id").pipe(
  Argument.withSchema(TokenId),
  Argument.withDescription("The id that the list shows")
)

const revoke = Command.make("revoke", { tokenId }, ({ tokenId }) =>
  onAccounts(
    Effect.gen(function* () {
      const accounts = yield* Accounts
      for (const { tenant } of yield* accounts.tenants) {
        const revoked = yield* Effect.result(accounts.revoke({ tenant, tokenId }, commandLine))
        if (revoked._tag === "Failure") continue
        yield* Console.log(`revoked ${tokenId}; its open streams end within a second`)
        return
      }
      return yield* new AccountNotFound({ kind: "token", id: tokenId })
    })
  )
).pipe(Command.withDescription("Revoke a token, a cookie or a sign-in link"))

export const command = Command.make("token").pipe(
  Command.withDescription("Manage tokens and other credentials"),
  Command.withSubcommands([add, list, revoke])
)

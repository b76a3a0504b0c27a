/** `user`: adds, lists and removes users, and makes their sign-in links. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as AccessScope from "../accounts/AccessScope.ts"
import { AccountNotFound, Accounts, type User } from "../accounts/Accounts.ts"
import { commandLine } from "../accounts/AuditLog.ts"
import { json, name, scopes, tenant, user } from "./AccountArguments.ts"
import { formatTime, onAccounts, printRows } from "./AccountsCommand.ts"

const linkLifetimeMillis = 24 * 60 * 60_000

const printLink = Effect.fnUntraced(function* ({ scopes, tenant, user }: Pick<User, "tenant" | "user" | "scopes">) {
  const accounts = yield* Accounts
  const { secret } = yield* accounts.issueLink(
    { tenant, user, scopes, label: "sign-in link", lifetimeMillis: linkLifetimeMillis },
    commandLine
  )
  yield* Console.log(`sign-in link, below the gateway's address; it works once, within 24 hours:`)
  yield* Console.log(`  /sign-in#${Redacted.value(secret)}`)
})

const add = Command.make("add", { user, name, scopes }, ({ name, scopes, user: { tenant, user } }) =>
  onAccounts(
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const added = yield* accounts.addUser({ tenant, user, scopes, name: name === "" ? user : name }, commandLine)
      yield* Console.log(`added user ${tenant}/${user} with ${AccessScope.toText(added.scopes)}`)
      yield* printLink(added)
    })
  )
).pipe(Command.withDescription("Add a user, and print a link that signs the person in once"))

const list = Command.make("list", { tenant: Argument.optional(tenant), json }, ({ json, tenant }) =>
  onAccounts(
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const tenants = Option.isSome(tenant) ? [tenant.value] : (yield* accounts.tenants).map((one) => one.tenant)
      const users = (yield* Effect.forEach(tenants, accounts.users)).flat()
      yield* printRows(users, {
        json,
        columns: {
          USER: (one) => `${one.tenant}/${one.user}`,
          NAME: (one) => one.name,
          SCOPES: (one) => AccessScope.toText(one.scopes),
          ADDED: (one) => formatTime(one.createdAtMillis, "")
        }
      })
    })
  )
).pipe(Command.withDescription("List users"))

const revoke = Command.make("revoke", { user }, ({ user }) =>
  onAccounts(
    Effect.gen(function* () {
      const accounts = yield* Accounts
      yield* accounts.removeUser(user, commandLine)
      yield* Console.log(`removed user ${user.tenant}/${user.user}: the credentials have ended, the data stays`)
    })
  )
).pipe(Command.withDescription("Remove a user, who can no longer sign in; the data is kept"))

const setScopes = Command.make("scopes", { user, scopes }, ({ scopes, user }) =>
  onAccounts(
    Effect.gen(function* () {
      const accounts = yield* Accounts
      yield* accounts.setUserScopes({ ...user, scopes }, commandLine)
      yield* Console.log(`${user.tenant}/${user.user} has the scopes ${AccessScope.toText(scopes)}`)
    })
  )
).pipe(Command.withDescription("Set the scopes of a user, also for credentials that exist"))

const link = Command.make("link", { user }, ({ user }) =>
  onAccounts(
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const found = (yield* accounts.users(user.tenant)).find((one) => one.user === user.user)
      if (found === undefined) return yield* new AccountNotFound({ kind: "user", id: `${user.tenant}/${user.user}` })
      yield* printLink(found)
    })
  )
).pipe(Command.withDescription("Print a link that signs a user in once"))

const identity = Command.make(
  "identity",
  {
    user,
    issuer: Flag.String("issuer").pipe(Flag.withDescription("The provider's issuer URL, as configured")),
    subject: Flag.String("subject").pipe(Flag.withDescription("The person's subject at the provider"))
  },
  ({ issuer, subject, user }) =>
    onAccounts(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        yield* accounts.linkIdentity({ issuer, subject }, user, commandLine)
        yield* Console.log(`${subject} of ${issuer} signs in as ${user.tenant}/${user.user}`)
      })
    )
).pipe(Command.withDescription("Let a person of an OpenID Connect provider sign in as a user"))

export const command = Command.make("user").pipe(
  Command.withDescription("Manage the users of tenants"),
  Command.withSubcommands([add, list, revoke, setScopes, link, identity])
)

/** `tenant`: adds, lists and removes tenants, and sets their quotas. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Accounts, AccountNotFound } from "../accounts/Accounts.ts"
import { commandLine } from "../accounts/AuditLog.ts"
import { type QuotaLimits, type Resource, resources } from "../accounts/Quota.ts"
import { Quotas } from "../accounts/Quotas.ts"
import { json, name, tenant } from "./AccountArguments.ts"
import { formatTime, onAccounts, printRows } from "./AccountsCommand.ts"

const add = Command.make("add", { tenant, name }, ({ name, tenant }) =>
  onAccounts(
    Effect.gen(function* () {
      const accounts = yield* Accounts
      yield* accounts.addTenant({ tenant, name: name === "" ? tenant : name }, commandLine)
      yield* Console.log(`added tenant ${tenant}; add a user with: bough-gateway user add ${tenant}/NAME`)
    })
  )
).pipe(Command.withDescription("Add a tenant"))

const list = Command.make("list", { json }, ({ json }) =>
  onAccounts(
    Effect.gen(function* () {
      const accounts = yield* Accounts
      yield* printRows(yield* accounts.tenants, {
        json,
        columns: {
          TENANT: (one) => one.tenant,
          NAME: (one) => one.name,
          ADDED: (one) => formatTime(one.createdAtMillis, ""),
          OPERATORS: (one) => (one.isOperator ? "yes" : "")
        }
      })
    })
  )
).pipe(Command.withDescription("List tenants"))

const revoke = Command.make("revoke", { tenant }, ({ tenant }) =>
  onAccounts(
    Effect.gen(function* () {
      const accounts = yield* Accounts
      yield* accounts.removeTenant(tenant, commandLine)
      yield* Console.log(`removed tenant ${tenant}: its credentials have ended, its data stays`)
    })
  )
).pipe(Command.withDescription("Remove a tenant; its users can no longer sign in, its data is kept"))

/** `none` removes a limit. */
const limit = (resource: Resource, unit: string) =>
  Flag.String(resource.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)).pipe(
    Flag.withDescription(`The maximum number of ${unit}, or none`),
    Flag.filter(
      (text) => text === "none" || /^\d{1,15}$/.test(text),
      () => "a whole number or none"
    ),
    Flag.map((text) => (text === "none" ? null : Number(text))),
    Flag.optional
  )

const limits = {
  sessions: limit("sessions", "sessions"),
  concurrentSteps: limit("concurrentSteps", "model calls at once"),
  moneyPerDay: limit("moneyPerDay", "millionths of a US dollar per UTC day"),
  storage: limit("storage", "stored bytes"),
  attachments: limit("attachments", "attachments")
}

const quota = Command.make("quota", { tenant, json, ...limits }, ({ json, tenant, ...limitFlags }) =>
  onAccounts(
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const quotas = yield* Quotas
      if (!(yield* accounts.tenants).some((one) => one.tenant === tenant))
        return yield* new AccountNotFound({ kind: "tenant", id: tenant })
      const changes = resources.flatMap((resource) =>
        Option.isSome(limitFlags[resource]) ? [[resource, limitFlags[resource].value] as const] : []
      )
      if (changes.length > 0) yield* quotas.setLimits(tenant, Object.fromEntries(changes) as QuotaLimits, commandLine)
      yield* printRows(yield* quotas.usage(tenant), {
        json,
        columns: {
          RESOURCE: (one) => one.resource,
          USED: (one) => String(one.used),
          LIMIT: (one) => (one.limit === null ? "none" : String(one.limit)),
          RESETS: (one) => formatTime(one.resetsAtMillis, "")
        }
      })
    })
  )
).pipe(Command.withDescription("Show what a tenant has used, and set its limits"))

export const command = Command.make("tenant").pipe(
  Command.withDescription("Manage tenants"),
  Command.withSubcommands([add, list, revoke, quota])
)

/** Two users of two tenants, for tests of access to each other's resources. */
import * as Effect from "effect/Effect"
import type { AccessScope } from "../../src/accounts/AccessScope.ts"
import * as AccessScopes from "../../src/accounts/AccessScope.ts"
import { Accounts } from "../../src/accounts/Accounts.ts"
import { type Actor, commandLine } from "../../src/accounts/AuditLog.ts"
import { TenantId, UserId } from "../../src/accounts/Principal.ts"

export const actor: Actor = commandLine
export const acme = TenantId.make("acme")
export const globex = TenantId.make("globex")
export const ann = UserId.make("ann")
export const bob = UserId.make("bob")

export const addPeople = Effect.gen(function* () {
  const accounts = yield* Accounts
  for (const tenant of [acme, globex]) {
    yield* accounts.addTenant({ tenant, name: tenant }, actor)
    for (const user of [ann, bob])
      yield* accounts.addUser({ tenant, user, name: user, scopes: AccessScopes.all }, actor)
  }
  return accounts
})

export const tokenOf = (
  tenant: TenantId,
  user: UserId,
  options: { readonly scopes?: ReadonlyArray<AccessScope>; readonly lifetimeMillis?: number } = {}
) =>
  Effect.flatMap(Accounts, (accounts) =>
    accounts.issue(
      {
        tenant,
        user,
        scopes: options.scopes ?? AccessScopes.all,
        label: "test",
        lifetimeMillis: options.lifetimeMillis ?? null
      },
      actor
    )
  )

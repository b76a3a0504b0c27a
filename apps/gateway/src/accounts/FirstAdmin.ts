/** Invites the first admin: a gateway without an admin creates the tenant, the user and a sign-in link when it starts. */
import * as Effect from "effect/Effect"
import * as AccessScope from "./AccessScope.ts"
import {
  type AccountExists,
  type AccountNotFound,
  Accounts,
  type IssuedCredential,
  type ScopeNotHeld
} from "./Accounts.ts"
import { commandLine } from "./AuditLog.ts"
import { TenantId, UserId } from "./Principal.ts"

export const tenant = TenantId.make("default")
export const user = UserId.make("admin")

const lifetimeMillis = 60 * 60_000
const label = "first sign-in"

export interface Invitation {
  readonly link: IssuedCredential
  /** Issues a token, so that the admin can make a first request without the page. */
  readonly token: IssuedCredential
}

/**
 * Issues a sign-in link and a token for the first admin, and revokes the unused ones of earlier starts. Returns null if
 * an admin of the operators' tenant already has a credential of their own.
 */
export const invite: Effect.Effect<Invitation | null, AccountExists | AccountNotFound | ScopeNotHeld, Accounts> =
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const operator = (yield* accounts.tenants).find(({ isOperator }) => isOperator)
    if (operator === undefined) {
      yield* accounts.addTenant({ tenant, name: "Default", isOperator: true }, commandLine)
      yield* accounts.addUser({ tenant, user, name: "Administrator", scopes: AccessScope.all }, commandLine)
    }
    const home = operator?.tenant ?? tenant
    const issued = yield* accounts.credentials(home)
    if (issued.some((one) => one.label !== label && one.kind !== "link" && one.scopes.includes("admin"))) return null
    const admin = (yield* accounts.users(home)).find(({ scopes }) => scopes.includes("admin"))
    if (admin === undefined) return null
    for (const { tokenId, ...one } of issued)
      if (one.label === label && one.lastUsedAtMillis === null)
        yield* accounts.revoke({ tenant: home, tokenId }, commandLine)
    const request = { tenant: home, user: admin.user, scopes: admin.scopes, label, lifetimeMillis }
    return {
      link: yield* accounts.issueLink(request, commandLine),
      token: yield* accounts.issue(request, commandLine)
    }
  })

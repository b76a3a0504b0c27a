/** Tenants, users and the identities that sign in as them. A removal sets a date, since ids are never reused. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as AccessScope from "./AccessScope.ts"
import { type TenantRow, toTenant, toUser, type UserRow } from "./AccountRows.ts"
import { AccountExists, AccountNotFound, type Accounts, type User } from "./Accounts.ts"
import type { Actor, AuditLog } from "./AuditLog.ts"
import type { TenantId } from "./Principal.ts"
import type { Revocations } from "./Revocations.ts"
import { orDie } from "./SqlFailure.ts"

type Service = Accounts["Service"]

export const make = Effect.fnUntraced(function* (audit: AuditLog["Service"], revocations: Revocations) {
  const sql = yield* SqlClient

  const addTenant: Service["addTenant"] = Effect.fnUntraced(
    function* ({ isOperator = false, name, tenant }, actor) {
      const createdAtMillis = yield* Clock.currentTimeMillis
      const added = yield* sql`INSERT INTO tenants ${sql.insert({
        tenant_id: tenant,
        name,
        is_operator: isOperator ? 1 : 0,
        created_at_millis: createdAtMillis,
        removed_at_millis: null
      })} ON CONFLICT DO NOTHING RETURNING tenant_id`
      if (added.length === 0) return yield* new AccountExists({ what: "tenant", id: tenant })
      yield* audit.record({ action: "tenant.added", actor, tenant, subject: tenant, detail: name })
      return { tenant, name, isOperator, createdAtMillis }
    },
    sql.withTransaction,
    orDie
  )

  const tenants: Service["tenants"] = sql<TenantRow>`
    SELECT * FROM tenants WHERE removed_at_millis IS NULL ORDER BY tenant_id`.pipe(
    Effect.map((rows) => rows.map(toTenant)),
    Effect.orDie
  )

  /** Revokes live credentials of a tenant or of one user, and closes open streams. */
  const revokeCredentials = Effect.fnUntraced(function* (owner: { readonly tenant: TenantId; readonly user?: string }) {
    const nowMillis = yield* Clock.currentTimeMillis
    const ended = yield* sql<{ readonly credential_id: string }>`
      UPDATE credentials SET revoked_at_millis = ${nowMillis} WHERE ${sql.and([
        sql`tenant_id = ${owner.tenant}`,
        sql`revoked_at_millis IS NULL`,
        ...(owner.user === undefined ? [] : [sql`user_id = ${owner.user}`])
      ])} RETURNING credential_id`
    yield* revocations.record(ended.map((row) => row.credential_id))
  })

  const removeTenant: Service["removeTenant"] = Effect.fnUntraced(
    function* (tenant, actor) {
      const nowMillis = yield* Clock.currentTimeMillis
      const removed = yield* sql`UPDATE tenants SET removed_at_millis = ${nowMillis}
        WHERE tenant_id = ${tenant} AND removed_at_millis IS NULL RETURNING tenant_id`
      if (removed.length === 0) return yield* new AccountNotFound({ what: "tenant", id: tenant })
      yield* revokeCredentials({ tenant })
      yield* audit.record({ action: "tenant.removed", actor, tenant, subject: tenant, detail: "" })
    },
    sql.withTransaction,
    orDie
  )

  const addUser: Service["addUser"] = Effect.fnUntraced(
    function* ({ name, scopes, tenant, user }, actor) {
      const createdAtMillis = yield* Clock.currentTimeMillis
      const live = yield* sql`SELECT 1 FROM tenants WHERE tenant_id = ${tenant} AND removed_at_millis IS NULL`
      if (live.length === 0) return yield* new AccountNotFound({ what: "tenant", id: tenant })
      const added = yield* sql`INSERT INTO users ${sql.insert({
        tenant_id: tenant,
        user_id: user,
        name,
        scopes: AccessScope.toText(scopes),
        created_at_millis: createdAtMillis,
        removed_at_millis: null
      })} ON CONFLICT DO NOTHING RETURNING user_id`
      if (added.length === 0) return yield* new AccountExists({ what: "user", id: user })
      const detail = AccessScope.toText(scopes)
      yield* audit.record({ action: "user.added", actor, tenant, subject: user, detail })
      return { tenant, user, name, scopes: AccessScope.sortScopes(scopes), createdAtMillis }
    },
    sql.withTransaction,
    orDie
  )

  const users: Service["users"] = (tenant) =>
    sql<UserRow>`SELECT * FROM users WHERE tenant_id = ${tenant} AND removed_at_millis IS NULL ORDER BY user_id`.pipe(
      Effect.map((rows) => rows.map(toUser)),
      Effect.orDie
    )

  const setUserScopes: Service["setUserScopes"] = Effect.fnUntraced(
    function* ({ scopes, tenant, user }, actor) {
      const text = AccessScope.toText(scopes)
      const changed = yield* sql`UPDATE users SET scopes = ${text}
        WHERE tenant_id = ${tenant} AND user_id = ${user} AND removed_at_millis IS NULL RETURNING user_id`
      if (changed.length === 0) return yield* new AccountNotFound({ what: "user", id: user })
      const live = yield* sql<{ readonly credential_id: string }>`SELECT credential_id FROM credentials
        WHERE tenant_id = ${tenant} AND user_id = ${user} AND revoked_at_millis IS NULL`
      // Streams that were opened with more scopes are closed, and authenticate again.
      yield* revocations.record(live.map((row) => row.credential_id))
      yield* audit.record({ action: "user.scopes-changed", actor, tenant, subject: user, detail: text })
    },
    sql.withTransaction,
    orDie
  )

  const removeUser: Service["removeUser"] = Effect.fnUntraced(
    function* ({ tenant, user }, actor) {
      const nowMillis = yield* Clock.currentTimeMillis
      const removed = yield* sql`UPDATE users SET removed_at_millis = ${nowMillis}
        WHERE tenant_id = ${tenant} AND user_id = ${user} AND removed_at_millis IS NULL RETURNING user_id`
      if (removed.length === 0) return yield* new AccountNotFound({ what: "user", id: user })
      yield* revokeCredentials({ tenant, user })
      yield* audit.record({ action: "user.removed", actor, tenant, subject: user, detail: "" })
    },
    sql.withTransaction,
    orDie
  )

  const userOfIdentity: Service["userOfIdentity"] = ({ issuer, subject }) =>
    sql<UserRow>`SELECT u.* FROM identities i
      JOIN users u ON u.tenant_id = i.tenant_id AND u.user_id = i.user_id
      JOIN tenants t ON t.tenant_id = u.tenant_id
      WHERE i.issuer = ${issuer} AND i.subject = ${subject}
        AND u.removed_at_millis IS NULL AND t.removed_at_millis IS NULL`.pipe(
      Effect.map(([row]) => (row === undefined ? null : toUser(row))),
      Effect.orDie
    )

  const linkIdentity: Service["linkIdentity"] = Effect.fnUntraced(
    function* ({ issuer, subject }, { tenant, user }: Pick<User, "tenant" | "user">, actor: Actor) {
      const nowMillis = yield* Clock.currentTimeMillis
      const live = yield* sql`SELECT 1 FROM users
        WHERE tenant_id = ${tenant} AND user_id = ${user} AND removed_at_millis IS NULL`
      if (live.length === 0) return yield* new AccountNotFound({ what: "user", id: user })
      yield* sql`INSERT INTO identities ${sql.insert({
        issuer,
        subject,
        tenant_id: tenant,
        user_id: user,
        linked_at_millis: nowMillis
      })} ON CONFLICT (issuer, subject) DO UPDATE SET
        tenant_id = excluded.tenant_id, user_id = excluded.user_id, linked_at_millis = excluded.linked_at_millis`
      yield* audit.record({ action: "user.identity-linked", actor, tenant, subject: user, detail: issuer })
    },
    sql.withTransaction,
    orDie
  )

  return {
    addTenant,
    tenants,
    removeTenant,
    addUser,
    users,
    setUserScopes,
    removeUser,
    userOfIdentity,
    linkIdentity
  }
})

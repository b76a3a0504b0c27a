/** Tenants in the database. A removal sets a date, since ids are never reused. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type TenantRow, toTenant } from "./AccountRows.ts"
import { AccountExists, AccountNotFound, type Accounts } from "./Accounts.ts"
import type { AccountsContext } from "./AccountsContext.ts"
import { revokeCredentials } from "./revokeCredentials.ts"
import { orDie } from "./SqlFailure.ts"

type Service = Pick<Accounts["Service"], "addTenant" | "tenants" | "removeTenant">

export const make = (context: AccountsContext): Service => ({
  addTenant: addTenant(context),
  tenants: tenants(context),
  removeTenant: removeTenant(context)
})

const addTenant = ({ audit, sql }: AccountsContext): Service["addTenant"] =>
  Effect.fnUntraced(
    function* ({ isOperator = false, name, tenant }, actor) {
      const createdAtMillis = yield* Clock.currentTimeMillis
      const added = yield* sql`INSERT INTO tenants ${sql.insert({
        tenant_id: tenant,
        name,
        is_operator: isOperator ? 1 : 0,
        created_at_millis: createdAtMillis,
        removed_at_millis: null
      })} ON CONFLICT DO NOTHING RETURNING tenant_id`
      if (added.length === 0) return yield* new AccountExists({ kind: "tenant", id: tenant })
      yield* audit.record({ action: "tenant.added", actor, tenant, subject: tenant, detail: name })
      return { tenant, name, isOperator, createdAtMillis }
    },
    sql.withTransaction,
    orDie
  )

const tenants = ({ sql }: AccountsContext): Service["tenants"] =>
  sql<TenantRow>`
  SELECT * FROM tenants WHERE removed_at_millis IS NULL ORDER BY tenant_id`.pipe(
    Effect.map((rows) => rows.map(toTenant)),
    Effect.orDie
  )

const removeTenant = (context: AccountsContext): Service["removeTenant"] =>
  Effect.fnUntraced(
    function* (tenant, actor) {
      const nowMillis = yield* Clock.currentTimeMillis
      const removed = yield* context.sql`UPDATE tenants SET removed_at_millis = ${nowMillis}
      WHERE tenant_id = ${tenant} AND removed_at_millis IS NULL RETURNING tenant_id`
      if (removed.length === 0) return yield* new AccountNotFound({ kind: "tenant", id: tenant })
      yield* revokeCredentials(context, { tenant })
      yield* context.audit.record({ action: "tenant.removed", actor, tenant, subject: tenant, detail: "" })
    },
    context.sql.withTransaction,
    orDie
  )

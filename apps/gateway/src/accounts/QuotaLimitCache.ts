/** The limits of tenants in the database, as of at most a second ago. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { TenantId } from "./Principal.ts"
import type { Resource } from "./Quota.ts"

export type Limits = ReadonlyMap<Resource, number>

export interface QuotaLimitCache {
  /** Returns the limits as of at most `cacheMillis` ago: each step and request needs them, and they rarely change. */
  readonly limitsOf: (tenant: TenantId) => Effect.Effect<Limits, SqlError>
  /** Called when this process has changed limits. */
  readonly clear: () => void
}

/** How long a change of limits by another process may go unnoticed. */
const cacheMillis = 1000

export const make = (sql: SqlClient): QuotaLimitCache => {
  const cached = new Map<TenantId, { readonly limits: Limits; readonly readAtMillis: number }>()
  /** Counts the changes in this process, so that limits that were read before a change are not cached after it. */
  let changes = 0
  return {
    limitsOf: (tenant) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => {
        const known = cached.get(tenant)
        const age = known === undefined ? Infinity : nowMillis - known.readAtMillis
        if (known !== undefined && age >= 0 && age < cacheMillis) return Effect.succeed(known.limits)
        const before = changes
        return Effect.map(readLimits(sql, tenant), (limits) => {
          if (changes === before) cached.set(tenant, { limits, readAtMillis: nowMillis })
          return limits
        })
      }),
    clear: () => {
      changes += 1
      cached.clear()
    }
  }
}

const readLimits = (sql: SqlClient, tenant: TenantId) =>
  Effect.map(
    sql<{ readonly resource: Resource; readonly most: number | string }>`
      SELECT resource, most FROM quota_limits WHERE tenant_id = ${tenant}`,
    (rows): Limits => new Map(rows.map((row) => [row.resource, Number(row.most)]))
  )

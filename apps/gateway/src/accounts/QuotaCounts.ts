/** The used amounts of tenants in the database, per resource and period. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { TenantId } from "./Principal.ts"
import { periodAt, type Resource } from "./Quota.ts"

/** `concurrentSteps` is counted by permits, which end with the process that holds them. */
export type CountedResource = Exclude<Resource, "concurrentSteps">

interface UsageRow {
  readonly resource: Resource
  readonly amount: number | string
}

export interface CountsQuery {
  readonly tenant: TenantId
  readonly resources: ReadonlyArray<Resource>
  readonly nowMillis: number
}

/** Returns the amounts of the requested resources in their current periods. */
export const read = Effect.fnUntraced(function* (sql: SqlClient, { nowMillis, resources, tenant }: CountsQuery) {
  const isCounted = resources.some((resource) => resource !== "concurrentSteps")
  if (!isCounted) return new Map<Resource, number>()
  const periods = [...new Set(resources.map((resource) => periodAt(resource, nowMillis)))]
  const rows = yield* sql<UsageRow>`SELECT resource, amount FROM quota_usage
    WHERE tenant_id = ${tenant} AND ${sql.in("period", periods)}`
  return new Map(rows.map((row) => [row.resource, Number(row.amount)]))
})

export interface CountedAmount {
  readonly tenant: TenantId
  readonly resource: CountedResource
  readonly amount: number
}

export const add = (sql: SqlClient, { amount, resource, tenant }: CountedAmount) =>
  Effect.flatMap(
    Clock.currentTimeMillis,
    (nowMillis) => sql`INSERT INTO quota_usage ${sql.insert({
      tenant_id: tenant,
      resource,
      period: periodAt(resource, nowMillis),
      amount
    })} ON CONFLICT (tenant_id, resource, period)
      DO UPDATE SET amount = quota_usage.amount + excluded.amount`
  )

/** Subtracts an amount; the count never falls below 0. */
export const subtract = (sql: SqlClient, { amount, resource, tenant }: CountedAmount) =>
  Effect.flatMap(
    Clock.currentTimeMillis,
    (nowMillis) => sql`UPDATE quota_usage
      SET amount = CASE WHEN amount > ${amount} THEN amount - ${amount} ELSE 0 END
      WHERE tenant_id = ${tenant} AND resource = ${resource} AND period = ${periodAt(resource, nowMillis)}`
  )

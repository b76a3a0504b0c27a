/** Counts what tenants use against their limits, in the store, so that several gateways over it share one count. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import type { Actor } from "./AuditLog.ts"
import { AuditLog } from "./AuditLog.ts"
import type { TenantId } from "./Principal.ts"
import {
  quotaExceeded,
  periodAt,
  type QuotaExceeded,
  type QuotaLimits,
  type QuotaUsage,
  resetAt,
  type Resource,
  resources
} from "./Quota.ts"
import { orDie } from "./SqlFailure.ts"
import * as StepPermits from "./StepPermits.ts"

/** `concurrentSteps` is counted by permits, which end with the process that holds them. */
export type CountedResource = Exclude<Resource, "concurrentSteps">

export class Quotas extends Context.Service<
  Quotas,
  {
    /**
     * Sets the named limits and leaves the others unchanged; null removes one. They apply at once in this process, and
     * within a second in others.
     */
    readonly setLimits: (tenant: TenantId, limits: QuotaLimits, actor: Actor) => Effect.Effect<void>
    /** Every resource, in the order of `resources`. */
    readonly usage: (tenant: TenantId) => Effect.Effect<ReadonlyArray<QuotaUsage>>
    /** The resources that have a limit, in the same order. If none has a limit, this is a single read. */
    readonly limited: (tenant: TenantId) => Effect.Effect<ReadonlyArray<QuotaUsage>>
    /** The limits that the tenant has. */
    readonly limits: (tenant: TenantId) => Effect.Effect<ReadonlyMap<Resource, number>>
    /** Takes `amount` or nothing: of two requests for the last unit one succeeds. */
    readonly take: (tenant: TenantId, resource: CountedResource, amount: number) => Effect.Effect<void, QuotaExceeded>
    /** Gives back an amount that was taken; the count never falls below 0. */
    readonly giveBack: (tenant: TenantId, resource: CountedResource, amount: number) => Effect.Effect<void>
    /** Adds an amount that was used already, such as the cost of a step, even beyond the limit. */
    readonly record: (tenant: TenantId, resource: CountedResource, amount: number) => Effect.Effect<void>
    /** Fails if nothing is left. */
    readonly require: (tenant: TenantId, resource: Resource) => Effect.Effect<void, QuotaExceeded>
    /** Returns once one of the tenant's step permits is free; it is held until the scope closes. */
    readonly holdStep: (tenant: TenantId) => Effect.Effect<void, never, Scope.Scope>
  }
>()("@bough/gateway/Quotas") {}

type Limits = ReadonlyMap<Resource, number>

/** How long a change of limits by another process may go unnoticed. */
const cacheMillis = 1000

interface UsageRow {
  readonly resource: string
  readonly amount: number | string
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const audit = yield* AuditLog
  const permits = yield* StepPermits.make

  const readLimits = (tenant: TenantId) =>
    Effect.map(
      sql<{ readonly resource: Resource; readonly most: number | string }>`
        SELECT resource, most FROM quota_limits WHERE tenant_id = ${tenant}`,
      (rows): Limits => new Map(rows.map((row) => [row.resource, Number(row.most)]))
    )
  const cached = new Map<TenantId, { readonly limits: Limits; readonly readAtMillis: number }>()
  /** Counts the changes in this process, so that limits that were read before a change are not cached after it. */
  let changes = 0
  const forget = (): void => {
    changes += 1
    cached.clear()
  }
  /** Returns the limits as of at most `cacheMillis` ago: each step and request needs them, and they rarely change. */
  const limitsOf = (tenant: TenantId) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => {
      const known = cached.get(tenant)
      const age = known === undefined ? Infinity : nowMillis - known.readAtMillis
      if (known !== undefined && age >= 0 && age < cacheMillis) return Effect.succeed(known.limits)
      const before = changes
      return Effect.map(readLimits(tenant), (limits) => {
        if (changes === before) cached.set(tenant, { limits, readAtMillis: nowMillis })
        return limits
      })
    })

  const setLimits: Quotas["Service"]["setLimits"] = Effect.fnUntraced(
    function* (tenant, limits, actor) {
      for (const resource of resources) {
        const limit = limits[resource]
        if (limit === undefined) continue
        if (limit === null) yield* sql`DELETE FROM quota_limits WHERE tenant_id = ${tenant} AND resource = ${resource}`
        else
          yield* sql`INSERT INTO quota_limits ${sql.insert({ tenant_id: tenant, resource, most: limit })}
            ON CONFLICT (tenant_id, resource) DO UPDATE SET most = excluded.most`
      }
      const detail = JSON.stringify(limits)
      yield* audit.record({ action: "tenant.quotas-changed", actor, tenant, subject: tenant, detail })
    },
    sql.withTransaction,
    Effect.ensuring(Effect.sync(forget)),
    orDie
  )

  /** Reads the used amounts of the requested resources only. */
  const usageOf = Effect.fnUntraced(function* (tenant: TenantId, resources: ReadonlyArray<Resource>, limits: Limits) {
    const nowMillis = yield* Clock.currentTimeMillis
    const periods = [...new Set(resources.map((resource) => periodAt(resource, nowMillis)))]
    const isCounted = resources.some((resource) => resource !== "concurrentSteps")
    const rows = isCounted
      ? yield* sql<UsageRow>`SELECT resource, amount FROM quota_usage
          WHERE tenant_id = ${tenant} AND ${sql.in("period", periods)}`
      : []
    const used = new Map(rows.map((row) => [row.resource, Number(row.amount)]))
    if (resources.includes("concurrentSteps")) used.set("concurrentSteps", yield* permits.held(tenant, nowMillis))
    return resources.map((resource): QuotaUsage => ({
      resource,
      limit: limits.get(resource) ?? null,
      used: used.get(resource) ?? 0,
      resetsAtMillis: resetAt(resource, nowMillis)
    }))
  })

  const usage: Quotas["Service"]["usage"] = Effect.fnUntraced(function* (tenant) {
    return yield* usageOf(tenant, resources, yield* limitsOf(tenant))
  }, Effect.orDie)

  const limited: Quotas["Service"]["limited"] = Effect.fnUntraced(function* (tenant) {
    const limits = yield* limitsOf(tenant)
    if (limits.size === 0) return []
    const limited = resources.filter((resource) => limits.has(resource))
    return yield* usageOf(tenant, limited, limits)
  }, Effect.orDie)

  /** The usage of one resource; null: it has no limit. */
  const usageIfLimited = Effect.fnUntraced(function* (tenant: TenantId, resource: Resource) {
    const limits = yield* limitsOf(tenant)
    if (!limits.has(resource)) return null
    const [found] = yield* usageOf(tenant, [resource], limits)
    return found
  }, Effect.orDie)

  const require: Quotas["Service"]["require"] = Effect.fnUntraced(function* (tenant, resource) {
    const found = yield* usageIfLimited(tenant, resource)
    if (found !== null && found.limit !== null && found.used >= found.limit) return yield* quotaExceeded(found)
  })

  const add = (tenant: TenantId, resource: CountedResource, amount: number) =>
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

  const take: Quotas["Service"]["take"] = Effect.fnUntraced(
    function* (tenant, resource, amount) {
      yield* add(tenant, resource, amount)
      // The amount is read after the change has locked the row. If the limit is exceeded, the transaction is rolled
      // back.
      const found = yield* usageIfLimited(tenant, resource)
      if (found !== null && found.limit !== null && found.used > found.limit)
        return yield* quotaExceeded({ ...found, used: found.used - amount })
    },
    sql.withTransaction,
    orDie
  )

  const giveBack: Quotas["Service"]["giveBack"] = (tenant, resource, amount) =>
    Effect.flatMap(
      Clock.currentTimeMillis,
      (nowMillis) => sql`UPDATE quota_usage
        SET amount = CASE WHEN amount > ${amount} THEN amount - ${amount} ELSE 0 END
        WHERE tenant_id = ${tenant} AND resource = ${resource} AND period = ${periodAt(resource, nowMillis)}`
    ).pipe(Effect.asVoid, Effect.orDie)

  const holdStep: Quotas["Service"]["holdStep"] = (tenant) =>
    limitsOf(tenant).pipe(
      Effect.orDie,
      Effect.flatMap((limits) => {
        const limit = limits.get("concurrentSteps")
        return limit === undefined ? Effect.void : permits.hold(tenant, limit)
      })
    )

  return Quotas.of({
    setLimits,
    usage,
    limited,
    limits: (tenant) => Effect.orDie(limitsOf(tenant)),
    take,
    giveBack,
    record: (tenant, resource, amount) => add(tenant, resource, amount).pipe(Effect.asVoid, Effect.orDie),
    require,
    holdStep
  })
})

export const layer: Layer.Layer<Quotas, never, SqlClient | AuditLog> = Layer.effect(Quotas, make)

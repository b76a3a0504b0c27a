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
  type QuotaExceeded,
  type QuotaLimits,
  type QuotaUsage,
  resetAt,
  type Resource,
  resources
} from "./Quota.ts"
import type { CountedResource } from "./QuotaCounts.ts"
import * as QuotaCounts from "./QuotaCounts.ts"
import type { Limits } from "./QuotaLimitCache.ts"
import * as QuotaLimitCache from "./QuotaLimitCache.ts"
import { orDie } from "./SqlFailure.ts"
import * as StepPermits from "./StepPermits.ts"

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

interface QuotaParts {
  readonly sql: SqlClient
  readonly cache: QuotaLimitCache.QuotaLimitCache
  readonly permits: Effect.Success<typeof StepPermits.make>
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const audit = yield* AuditLog
  const cache = QuotaLimitCache.make(sql)
  const permits = yield* StepPermits.make
  const parts: QuotaParts = { sql, cache, permits }

  return Quotas.of({
    setLimits: setLimits(sql, audit, cache.clear),
    usage: Effect.fnUntraced(function* (tenant) {
      return yield* usageOf(parts, { tenant, resources, limits: yield* cache.limitsOf(tenant) })
    }, Effect.orDie),
    limited: Effect.fnUntraced(function* (tenant) {
      const limits = yield* cache.limitsOf(tenant)
      if (limits.size === 0) return []
      const limited = resources.filter((resource) => limits.has(resource))
      return yield* usageOf(parts, { tenant, resources: limited, limits })
    }, Effect.orDie),
    limits: (tenant) => Effect.orDie(cache.limitsOf(tenant)),
    take: takeAmount(parts),
    giveBack: (tenant, resource, amount) =>
      QuotaCounts.subtract(sql, { tenant, resource, amount }).pipe(Effect.asVoid, Effect.orDie),
    record: (tenant, resource, amount) =>
      QuotaCounts.add(sql, { tenant, resource, amount }).pipe(Effect.asVoid, Effect.orDie),
    require: Effect.fnUntraced(function* (tenant, resource) {
      const usage = yield* usageIfLimited(parts, tenant, resource)
      if (usage !== null && usage.limit !== null && usage.used >= usage.limit) return yield* quotaExceeded(usage)
    }),
    holdStep: (tenant) =>
      cache.limitsOf(tenant).pipe(
        Effect.orDie,
        Effect.flatMap((limits) => {
          const limit = limits.get("concurrentSteps")
          return limit === undefined ? Effect.void : permits.hold(tenant, limit)
        })
      )
  })
})

const setLimits = (sql: SqlClient, audit: AuditLog["Service"], onChanged: () => void): Quotas["Service"]["setLimits"] =>
  Effect.fnUntraced(
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
    Effect.ensuring(Effect.sync(onChanged)),
    orDie
  )

interface UsageQuery {
  readonly tenant: TenantId
  readonly resources: ReadonlyArray<Resource>
  readonly limits: Limits
}

const usageOf = Effect.fnUntraced(function* ({ permits, sql }: QuotaParts, { limits, resources, tenant }: UsageQuery) {
  const nowMillis = yield* Clock.currentTimeMillis
  const used = yield* QuotaCounts.read(sql, { tenant, resources, nowMillis })
  if (resources.includes("concurrentSteps")) used.set("concurrentSteps", yield* permits.held(tenant, nowMillis))
  return resources.map((resource): QuotaUsage => ({
    resource,
    limit: limits.get(resource) ?? null,
    used: used.get(resource) ?? 0,
    resetsAtMillis: resetAt(resource, nowMillis)
  }))
})

/** The usage of one resource; null: it has no limit. */
const usageIfLimited = Effect.fnUntraced(function* (parts: QuotaParts, tenant: TenantId, resource: Resource) {
  const limits = yield* parts.cache.limitsOf(tenant)
  if (!limits.has(resource)) return null
  const [usage] = yield* usageOf(parts, { tenant, resources: [resource], limits })
  return usage
}, Effect.orDie)

const takeAmount = (parts: QuotaParts): Quotas["Service"]["take"] =>
  Effect.fnUntraced(
    function* (tenant, resource, amount) {
      yield* QuotaCounts.add(parts.sql, { tenant, resource, amount })
      // The amount is read after the change has locked the row. If the limit is exceeded, the transaction is rolled
      // back.
      const usage = yield* usageIfLimited(parts, tenant, resource)
      if (usage !== null && usage.limit !== null && usage.used > usage.limit)
        return yield* quotaExceeded({ ...usage, used: usage.used - amount })
    },
    parts.sql.withTransaction,
    orDie
  )

export const layer: Layer.Layer<Quotas, never, SqlClient | AuditLog> = Layer.effect(Quotas, make)

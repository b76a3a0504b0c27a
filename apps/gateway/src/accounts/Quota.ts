/** The quotas of a tenant as data: resources, their units and periods, and the headers with the remaining amounts. */
import * as Schema from "effect/Schema"

/**
 * `sessions` and `attachments` are counted, `storage` is in bytes, `moneyPerDay` in millionths of a US dollar per day in
 * UTC, `concurrentSteps` are model calls at the same time.
 */
export const Resource = Schema.Literals(["sessions", "concurrentSteps", "moneyPerDay", "storage", "attachments"])
export type Resource = typeof Resource.Type

export const resources: ReadonlyArray<Resource> = Resource.literals

/** Null or absent means unlimited. */
export type QuotaLimits = { readonly [R in Resource]?: number | null }

export interface QuotaUsage {
  readonly resource: Resource
  /** Null: unlimited. */
  readonly limit: number | null
  readonly used: number
  /** Epoch milliseconds at which `used` becomes 0; null: only freeing resources lowers it. */
  readonly resetsAtMillis: number | null
}

/** The tenant has used up the resource. */
export class QuotaExceeded extends Schema.TaggedError<QuotaExceeded>()("QuotaExceeded", {
  resource: Resource,
  limit: Schema.Number,
  used: Schema.Number,
  resetsAtMillis: Schema.NullOr(Schema.Number)
}) {
  override get message(): string {
    return `the quota ${this.resource} of the tenant is used up: ${this.used} of ${this.limit}`
  }
}

const dayMillis = 86_400_000

/** Returns the UTC date of a daily limit, else "". */
export const periodAt = (resource: Resource, nowMillis: number): string =>
  resource === "moneyPerDay" ? new Date(nowMillis).toISOString().slice(0, 10) : ""

export const resetAt = (resource: Resource, nowMillis: number): number | null =>
  resource === "moneyPerDay" ? (Math.floor(nowMillis / dayMillis) + 1) * dayMillis : null

export const remaining = ({ limit, used }: QuotaUsage): number | null =>
  limit === null ? null : Math.max(0, limit - used)

export const quotaExceeded = ({ limit, resetsAtMillis, resource, used }: QuotaUsage): QuotaExceeded =>
  new QuotaExceeded({ resource, limit: limit ?? 0, used, resetsAtMillis })

const secondsUntil = (atMillis: number, nowMillis: number): number =>
  Math.max(1, Math.ceil((atMillis - nowMillis) / 1000))

/** Returns `RateLimit-Policy` and `RateLimit` for the limited resources; empty: no resource is limited. */
export const toHeaders = (usages: ReadonlyArray<QuotaUsage>, nowMillis: number): Readonly<Record<string, string>> => {
  const limited = usages.filter(({ limit }) => limit !== null)
  if (limited.length === 0) return {}
  return {
    "ratelimit-policy": limited
      .map(({ limit, resetsAtMillis, resource }) =>
        resetsAtMillis === null ? `"${resource}";q=${limit}` : `"${resource}";q=${limit};w=${dayMillis / 1000}`
      )
      .join(", "),
    ratelimit: limited
      .map((usage) => {
        const reset = usage.resetsAtMillis === null ? "" : `;t=${secondsUntil(usage.resetsAtMillis, nowMillis)}`
        return `"${usage.resource}";r=${remaining(usage)}${reset}`
      })
      .join(", ")
  }
}

/**
 * Returns the seconds until a request over the quota can succeed; null: it can only succeed after resources are freed.
 */
export const retryAfterSeconds = ({ resetsAtMillis }: QuotaExceeded, nowMillis: number): number | null =>
  resetsAtMillis === null ? null : secondsUntil(resetsAtMillis, nowMillis)

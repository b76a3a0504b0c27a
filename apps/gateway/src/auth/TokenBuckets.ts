/**
 * Rate limits by key. Buckets are held in memory, at most `capacity` of them: a full bucket carries no information and
 * is dropped, so a client cannot make the gateway remember every address that it sends from.
 */
import type { RateLimit } from "./AuthSettings.ts"

interface Bucket {
  tokens: number
  atMillis: number
}

export interface RateLimitResult {
  readonly isAllowed: boolean
  /** The number of requests that are allowed now. */
  readonly remaining: number
  /** The time until the next request is allowed; 0: now. */
  readonly retryAfterMillis: number
}

export interface TokenBuckets {
  readonly take: (key: string, nowMillis: number) => RateLimitResult
  readonly size: () => number
}

export const make = ({ burst, perSecond }: RateLimit, capacity = 20_000): TokenBuckets => {
  const buckets = new Map<string, Bucket>()

  const tokensAt = ({ atMillis, tokens }: Bucket, nowMillis: number): number =>
    Math.min(burst, tokens + (Math.max(0, nowMillis - atMillis) / 1000) * perSecond)

  /** Drops full buckets, oldest first, and then the oldest one. */
  const makeRoom = (nowMillis: number): void => {
    for (const [key, bucket] of buckets) {
      if (tokensAt(bucket, nowMillis) < burst) break
      buckets.delete(key)
    }
    if (buckets.size < capacity) return
    const [oldest] = buckets.keys()
    buckets.delete(oldest)
  }

  return {
    take: (key, nowMillis) => {
      const known = buckets.get(key)
      if (known === undefined && buckets.size >= capacity) makeRoom(nowMillis)
      const tokens = known === undefined ? burst : tokensAt(known, nowMillis)
      const isAllowed = tokens >= 1
      const remaining = isAllowed ? tokens - 1 : tokens
      // Inserted last: the order of the map is the order of use.
      buckets.delete(key)
      buckets.set(key, { tokens: remaining, atMillis: nowMillis })
      return {
        isAllowed,
        remaining: Math.floor(remaining),
        retryAfterMillis: remaining >= 1 ? 0 : Math.ceil(((1 - remaining) / perSecond) * 1000)
      }
    },
    size: () => buckets.size
  }
}

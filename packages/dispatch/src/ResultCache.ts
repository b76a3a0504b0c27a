/**
 * Cached results of ReadOnly calls of one tree, which may answer equal calls: adr/0115-results-used-again.md. A result is
 * only reused if everything that its call read is unchanged, so the cache needs no invalidation. Bounded in number, bytes
 * and age.
 */
import type { Receipt, Session } from "@bough/protocol"
import type { ReadFact } from "@bough/tool/ReadNotes"
import type { CallConclusion } from "./CallConclusion.ts"

/** The maximum age of a result that is reused. */
export const maxAgeMillis = 60_000

const maxResults = 64
const maxBytes = 4 * 1024 * 1024
/** The maximum size of a stored result. */
export const maxResultBytes = 512 * 1024

/** A result, with everything that it depends on apart from the call itself. */
export interface CachedResult {
  readonly concluded: CallConclusion
  /** The call that ran, and whose result this is. */
  readonly source: Exclude<Receipt.Receipt["cached"], undefined>
  readonly labels: ReadonlyArray<Session.Label>
  readonly withheld: ReadonlyArray<readonly [place: string, rule: string]>
  readonly facts: ReadonlyArray<ReadFact>
  /** Monotonic time just before the call ran. */
  readonly startedAtNanos: bigint
  readonly bytes: number
}

/** Results, ordered from oldest to newest. Only `keep` and `drop` change it. */
export interface ResultCache {
  readonly results: Map<string, CachedResult>
  bytes: number
}

export const make = (): ResultCache => ({ results: new Map(), bytes: 0 })

/** Returns the result of an equal call that is recent enough; null: there is none. */
export const find = (cache: ResultCache, key: string, nowNanos: bigint): CachedResult | null => {
  const found = cache.results.get(key)
  if (found === undefined) return null
  if (nowNanos - found.startedAtNanos <= BigInt(maxAgeMillis) * 1_000_000n) return found
  drop(cache, key)
  return null
}

export const drop = (cache: ResultCache, key: string): void => {
  const found = cache.results.get(key)
  if (found === undefined) return
  cache.results.delete(key)
  cache.bytes -= found.bytes
}

/** Stores a result, and drops the oldest ones beyond the bounds. */
export const keep = (cache: ResultCache, key: string, result: CachedResult): void => {
  drop(cache, key)
  cache.results.set(key, result)
  cache.bytes += result.bytes
  for (const oldest of cache.results.keys()) {
    if (cache.results.size <= maxResults && cache.bytes <= maxBytes) return
    drop(cache, oldest)
  }
}

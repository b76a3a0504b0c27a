/** The load of an open store, for a server's operator: pending writes, and how long the file was busy. */
import type { SessionStore } from "@bough/runtime"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** Counts since the store was opened, unless they say otherwise. */
export interface WriteCounts {
  /** Units that are waiting for their transaction. */
  readonly waiting: number
  readonly units: number
  readonly transactions: number
  /** Seconds in which transactions held the file, including their syncs. */
  readonly busySeconds: number
  /** Transactions that found the file locked by another process. */
  readonly locked: number
}

export interface StoreLoadCounts extends WriteCounts {
  /** Messages, decisions and other commands that no session has taken yet. */
  readonly inboxRows: number
}

export class StoreLoad extends Context.Service<
  StoreLoad,
  { readonly read: Effect.Effect<StoreLoadCounts, SessionStore.StoreFailed> }
>()("@bough/store-sqlite/StoreLoad") {}

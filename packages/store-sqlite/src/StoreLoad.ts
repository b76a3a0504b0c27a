/** The load of an open store, for a server's operator: pending writes, and how long the file was busy. */
import type { SessionStore } from "@bough/runtime"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** Counts since the store was opened, except where noted. */
export interface WriteCounts {
  /** The number of units that are waiting for their transaction. */
  readonly waiting: number
  readonly units: number
  readonly transactions: number
  /** The number of seconds in which transactions had the file locked, including their syncs. */
  readonly busySeconds: number
  /** The number of transactions that found the file locked by another process. */
  readonly locked: number
}

export interface StoreLoadCounts extends WriteCounts {
  /** The number of messages, decisions and other commands that no session has taken yet. */
  readonly inboxRows: number
}

export class StoreLoad extends Context.Service<
  StoreLoad,
  { readonly read: Effect.Effect<StoreLoadCounts, SessionStore.StoreFailed> }
>()("@bough/store-sqlite/StoreLoad") {}

/** The load of an open store, for the operator of a server: what waits to be written, and how long the file was busy. */
import type { SessionStore } from "@bough/runtime"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** Counts since the store was opened, unless they say otherwise. */
export interface WriteCounts {
  /** Units that wait for their transaction now. */
  readonly waiting: number
  readonly units: number
  readonly transactions: number
  /** Seconds in which transactions held the file, with their syncs. */
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

/** The store of a session. */
import { type BlobStore, BlobStoreMemory, type SessionStore, SessionStoreMemory } from "@bough/runtime"
import { SessionStoreSql } from "@bough/store-sqlite"
import * as Layer from "effect/Layer"

export type Stores = Layer.Layer<SessionStore.SessionStore | BlobStore.BlobStore, unknown>

export const memory: Stores = Layer.mergeAll(SessionStoreMemory.layer, BlobStoreMemory.layer)

/** Returns stores in SQLite in that directory. */
export const durable = (directory: string): Stores => SessionStoreSql.layer({ directory })

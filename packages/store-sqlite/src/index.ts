/** The session store over effect/sql. */
export * as QuickCheck from "./QuickCheck.ts"
export * as NoteStoreMemory from "./NoteStoreMemory.ts"
export * as SessionStoreSql from "./SessionStoreSql.ts"
export * as StoreLoad from "./StoreLoad.ts"
export * as StoreTime from "./StoreTime.ts"

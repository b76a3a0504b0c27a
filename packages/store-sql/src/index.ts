/** The session store over effect/sql. */
export * as SessionStoreSql from "./SessionStoreSql.ts"

/** effect/sql over node:sqlite. */
export type { Database, DatabaseOptions, Row, RunResult } from "./Database.ts"
export * as SqliteClient from "./SqliteClient.ts"
export * as SqliteError from "./SqliteError.ts"

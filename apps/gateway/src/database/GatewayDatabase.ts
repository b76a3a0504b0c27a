/**
 * The database of the gateway's own facts: accounts, workspaces, idempotency keys, deliveries. Its SQL also runs on
 * PostgreSQL; each part of the gateway brings its tables as named steps, which are applied once, in order.
 */
import { Directory } from "@bough/disk"
import * as SqliteClient from "@bough/store-sqlite/driver/SqliteClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { closeSync, openSync } from "node:fs"
import { join } from "node:path"
import type { DatabaseStep } from "./DatabaseStep.ts"
import { steps } from "./steps.ts"

export const fileIn = (directory: string): string => join(directory, "gateway.db")

/** The failure to open a database whose tables a later version of the gateway has changed. */
export class LaterDatabase extends Schema.TaggedError<LaterDatabase>()("LaterDatabase", {
  path: Schema.String,
  step: Schema.String
}) {
  override get message(): string {
    return `${this.path} was written by a later version of the gateway (${this.step}): install that version`
  }
}

/** Applies the steps that the database lacks. */
export const migrate = Effect.fnUntraced(function* (all: ReadonlyArray<DatabaseStep>, path: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE IF NOT EXISTS gateway_steps (name TEXT PRIMARY KEY, applied_at_millis BIGINT NOT NULL)`
  const known = new Set(all.map(({ name }) => name))
  const applied = yield* sql<{ readonly name: string }>`SELECT name FROM gateway_steps`
  const later = applied.find(({ name }) => !known.has(name))
  if (later !== undefined) return yield* new LaterDatabase({ path, step: later.name })
  for (const { name, statements } of all) {
    yield* sql.withTransaction(
      Effect.gen(function* () {
        const [existing] = yield* sql`SELECT name FROM gateway_steps WHERE name = ${name}`
        if (existing !== undefined) return
        for (const statement of statements) yield* sql.unsafe(statement)
        const nowMillis = yield* Clock.currentTimeMillis
        yield* sql`INSERT INTO gateway_steps ${sql.insert({ name, applied_at_millis: nowMillis })}`
      })
    )
  }
})

/** The database in `gateway.db` of a directory, which only its owner can read. */
export const layer = (
  directory: string
): Layer.Layer<SqliteClient.SqliteClient | SqlClient.SqlClient, SqlError | LaterDatabase> =>
  Layer.unwrap(
    Effect.sync(() => {
      Directory.makePrivate(directory)
      closeSync(openSync(fileIn(directory), "a", 0o600))
      const client = SqliteClient.layer({ filename: fileIn(directory) })
      return Layer.provideMerge(Layer.effectDiscard(migrate(steps, fileIn(directory))), client)
    })
  )

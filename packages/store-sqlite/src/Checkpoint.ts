/**
 * Moves the write-ahead log into the file at intervals, which keeps the log short. SQLite's own checkpoint runs inside
 * a COMMIT and ignores errors: after a failed sync, the next one may succeed although data was lost.
 */
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type * as SqliteClient from "./driver/SqliteClient.ts"

/** The number of pages, of 4 KiB each, from which the log counts as long. */
const longLogPages = 1000
/** The number of writes between two checks of the log's length. */
const interval = 32

/**
 * Makes the effect to run after each write. Pages that are still being read stay in the log until the next checkpoint.
 */
export const make = (client: SqliteClient.SqliteClient): Effect.Effect<void, SqlError> => {
  let writes = 0
  const checkpoint = client.sync((database) => {
    // A SQLite before 3.51 ignores NOOP and checkpoints at once, which is correct but slower.
    const log = database.get("PRAGMA wal_checkpoint(NOOP)")?.["log"]
    if (Number(log) >= longLogPages) database.get("PRAGMA wal_checkpoint(PASSIVE)")
  })
  return Effect.suspend(() => (++writes % interval === 0 ? checkpoint : Effect.void))
}

/** Looks for damage that opening does not look for: what `bough doctor` runs. */
import { Session } from "@bough/protocol"
import type { SessionStore } from "@bough/runtime"
import type { Database, SqliteClient } from "@bough/sqlite"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as EntryRows from "./EntryRows.ts"
import * as Failure from "./Failure.ts"
import * as StoreFile from "./StoreFile.ts"

/** Entries that are held at a time. */
const pageLength = 200

/** What SQLite finds, and rows that refer to what is not there. */
const structure = (database: Database): ReadonlyArray<string> => [
  ...database
    .all("PRAGMA quick_check")
    .map((row) => String(row["quick_check"]))
    .filter((line) => line !== "ok"),
  ...database
    .all("PRAGMA foreign_key_check")
    .map((row) => `a row of ${String(row["table"])} refers to a missing row of ${String(row["parent"])}`)
]

/** Null: the chain holds from the first entry to the last, and every body decodes. */
const journal = Effect.fnUntraced(function* (client: SqliteClient.SqliteClient, sessionId: Session.SessionId) {
  for (let fromSeq = 0; ; fromSeq += pageLength) {
    const page = yield* client.sync((database) => EntryRows.read(database, { sessionId, fromSeq, limit: pageLength }))
    if (Result.isFailure(page)) return `session ${sessionId}: ${page.failure.message}`
    if (page.success.length < pageLength) return null
  }
})

/** Everything that is wrong, in words; empty: nothing is. Reads the whole store. */
export const problems = (options: {
  readonly directory: string
}): Effect.Effect<ReadonlyArray<string>, SessionStore.StoreRefused> =>
  Effect.scoped(
    Effect.gen(function* () {
      const client = yield* StoreFile.open(options.directory)
      const look = Effect.gen(function* () {
        const found = [...(yield* client.sync(structure))]
        if (found.length > 0) return found
        const rows = yield* client.sync((database) =>
          database.all("SELECT session_id FROM sessions ORDER BY session_id")
        )
        for (const row of rows) {
          const problem = yield* journal(client, Session.SessionId.make(String(row["session_id"])))
          if (problem !== null) found.push(problem)
        }
        return found
      })
      return yield* look.pipe(
        Effect.catch((error) => Effect.succeed([Failure.storeFailed("check the store", error).message]))
      )
    })
  )

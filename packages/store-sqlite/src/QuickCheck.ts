/** Finds damage that opening a store does not notice; `bough doctor` runs it. */
import { Session } from "@bough/protocol"
import type { SessionStore } from "@bough/runtime"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { SqlError } from "effect/sql/SqlError"
import { statSync } from "node:fs"
import type * as SqliteClient from "./driver/SqliteClient.ts"
import * as SqliteProcess from "./driver/SqliteProcess.ts"
import * as EntryRows from "./EntryRows.ts"
import * as Failure from "./Failure.ts"
import * as OpenElsewhere from "./OpenElsewhere.ts"
import * as StoreFile from "./StoreFile.ts"

export interface QuickCheckOptions {
  readonly directory: string
  /**
   * True: checks the whole store, however large. False: checks only the most recently changed sessions of a large
   * store.
   */
  readonly full: boolean
}

/** `problems`: descriptions of the faults; `skipped`: the part that was not checked, null: everything was checked. */
export interface Report {
  readonly problems: ReadonlyArray<string>
  readonly skipped: string | null
}

/** The size up to which a store is checked as a whole, which takes about a second. */
const smallBytes = 32 * 1024 * 1024
/** The maximum time for which journals of a larger store are read. */
const maxNanos = 2_000_000_000n
/** The number of entries that are in memory at a time. */
const pageLength = 200

/** Returns the faults that SQLite finds in the file, and the rows that refer to missing rows. */
const structure = Effect.fnUntraced(function* (path: string): Effect.fn.Return<ReadonlyArray<string>, SqlError> {
  const statements = ["PRAGMA quick_check", "PRAGMA foreign_key_check"]
  const [damage, dangling] = yield* SqliteProcess.run({
    filename: path,
    readOnly: true,
    statements,
    operation: "check"
  })
  return [
    ...damage.map((row) => String(row["quick_check"])).filter((line) => line !== "ok"),
    ...dangling.map((row) => `a row of ${String(row["table"])} refers to a missing row of ${String(row["parent"])}`)
  ]
})

/** The checked part of a journal, and its fault; null: the chain is intact and every body decodes. */
interface JournalCheck {
  readonly problem: string | null
  readonly isWhole: boolean
}

/** Checks a journal from its first entry on, at least one page. */
const journal = Effect.fnUntraced(function* (
  client: SqliteClient.SqliteClient,
  sessionId: Session.SessionId,
  isOver: Effect.Effect<boolean>
): Effect.fn.Return<JournalCheck, SqlError> {
  for (let fromSeq = 0; ; fromSeq += pageLength) {
    const page = yield* client.sync((database) => EntryRows.read(database, { sessionId, fromSeq, limit: pageLength }))
    if (Result.isFailure(page)) return { problem: `session ${sessionId}: ${page.failure.message}`, isWhole: true }
    if (page.success.length < pageLength) return { problem: null, isWhole: true }
    if (yield* isOver) return { problem: null, isWhole: false }
  }
})

/** Checks the journals, the most recently changed first; counts the journals that were not read to their end. */
const journals = Effect.fnUntraced(function* (
  client: SqliteClient.SqliteClient,
  isOver: Effect.Effect<boolean>
): Effect.fn.Return<{ readonly found: ReadonlyArray<string>; readonly unread: number }, SqlError> {
  const rows = yield* client.sync((database) =>
    database.all("SELECT session_id FROM sessions ORDER BY updated_at_millis DESC, session_id")
  )
  const found: Array<string> = []
  for (const [index, row] of rows.entries()) {
    const { isWhole, problem } = yield* journal(client, Session.SessionId.make(String(row["session_id"])), isOver)
    if (problem !== null) found.push(problem)
    if (!isWhole) return { found, unread: rows.length - index }
    if (yield* isOver) return { found, unread: rows.length - index - 1 }
  }
  return { found, unread: 0 }
})

const read = Effect.fnUntraced(function* (
  client: SqliteClient.SqliteClient,
  { directory, full }: QuickCheckOptions
): Effect.fn.Return<Report, SqlError> {
  const path = StoreFile.pathIn(directory)
  const bytes = statSync(path).size
  const all = full || bytes <= smallBytes
  const problems = all ? yield* structure(path) : []
  if (problems.length > 0) return { problems, skipped: null }
  const start = yield* Clock.monotonicTimeNanos
  const isOver = Effect.map(Clock.monotonicTimeNanos, (now) => !all && now - start > maxNanos)
  const { found, unread } = yield* journals(client, isOver)
  return {
    problems: found,
    skipped: all
      ? null
      : `${Math.round(bytes / 1024 ** 2)} MiB: its tables and ${unread} older sessions were not read to their end`
  }
})

/** Checks the whole store, or a part of a large one. */
export const check = (options: QuickCheckOptions): Effect.Effect<Report, SessionStore.StoreRefused> =>
  Effect.scoped(
    Effect.gen(function* () {
      const client = yield* StoreFile.open(options.directory)
      const { problems, skipped } = yield* read(client, options).pipe(
        Effect.catch((error) =>
          Effect.succeed({ problems: [Failure.storeFailed("check the store", error).message], skipped: null })
        )
      )
      return { problems: [...OpenElsewhere.problems(StoreFile.pathIn(options.directory)), ...problems], skipped }
    })
  )

/** Returns descriptions of all faults; empty: there are none. Checks the whole store. */
export const problems = (options: Pick<QuickCheckOptions, "directory">) =>
  Effect.map(check({ ...options, full: true }), (report) => report.problems)

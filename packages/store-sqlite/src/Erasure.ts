/**
 * Erases removed data from the file: from the word indexes, which only mark it, from free pages, and from the
 * write-ahead log. Freed space is returned to the file system.
 */
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import * as Damage from "./conversations/Damage.ts"
import type { Database } from "./driver/Database.ts"
import type * as SqliteClient from "./driver/SqliteClient.ts"
import * as SqliteProcess from "./driver/SqliteProcess.ts"
import * as Failure from "./Failure.ts"

export interface Erasure {
  /** Marks that data was removed, so that an erasure is due. */
  readonly due: () => void
  /** Erases data if an erasure is due. It stays due while other connections read or write. */
  readonly run: Effect.Effect<void, SqlError>
  /** Erases when the store closes; a file that cannot release space by itself is then rewritten. */
  readonly close: Effect.Effect<void, SqlError>
}

const incremental = 2

/** The share of free pages at which an older file, which releases no space by itself, is rewritten. */
const worthVacuum = 1 / 4

/** The number of free pages that are released at a time: other work runs in between. */
const slicePages = 1_000

const number = (database: Database, pragma: string): number => Number(database.get(`PRAGMA ${pragma}`)?.[pragma] ?? 0)

const shrinks = (database: Database): boolean => number(database, "auto_vacuum") === incremental

/** Releases some of the free pages; returns true if there are more. */
const giveBack = (database: Database): boolean => {
  if (!shrinks(database) || number(database, "freelist_count") === 0) return false
  database.exec(`PRAGMA incremental_vacuum(${slicePages})`)
  return number(database, "freelist_count") > 0
}

const isWorthVacuum = (database: Database): boolean =>
  !shrinks(database) && number(database, "freelist_count") > number(database, "page_count") * worthVacuum

/** The statements of a rewrite, with the settings of the store's own connection that they need. */
const vacuum = [
  "PRAGMA synchronous = FULL",
  "PRAGMA wal_autocheckpoint = 0",
  "PRAGMA secure_delete = ON",
  "PRAGMA auto_vacuum = INCREMENTAL",
  "VACUUM"
]

export const make = (client: SqliteClient.SqliteClient, filename: string): Erasure => {
  let isDue = false

  const optimise = client.sync((database) => {
    database.run("INSERT INTO notes_words (notes_words) VALUES ('optimize')")
    Damage.orReset(database, () =>
      database.run("INSERT INTO conversation_words (conversation_words) VALUES ('optimize')")
    )
  })
  const reclaim: Effect.Effect<void, SqlError> = Effect.flatMap(client.sync(giveBack), (hasMore) =>
    hasMore ? Effect.andThen(Effect.yieldNow, reclaim) : Effect.void
  )
  const checkpoint = client.sync((database) => {
    if (database.get("PRAGMA wal_checkpoint(TRUNCATE)")?.["busy"] !== 0) isDue = true
  })
  /** Rewrites the file when the store closes, because nothing else in this process can write while the file is locked. */
  const rewrite = Effect.flatMap(client.sync(isWorthVacuum), (isWorth) =>
    isWorth
      ? Effect.interruptible(
          SqliteProcess.run({ filename, readOnly: false, statements: vacuum, operation: "rewrite the file" })
        )
      : Effect.void
  )
  /**
   * Runs the work if an erasure is due. The erasure stays due if the work fails or ends early, or if data is removed
   * meanwhile.
   */
  const whenDue = (work: Effect.Effect<unknown, SqlError>): Effect.Effect<void, SqlError> =>
    Effect.suspend(() => {
      if (!isDue) return Effect.void
      isDue = false
      return Effect.asVoid(work).pipe(
        Effect.onExit((exit) =>
          Effect.sync(() => {
            if (exit._tag === "Failure") isDue = true
          })
        ),
        Effect.catchIf(Failure.isLocked, () => Effect.void)
      )
    })
  return {
    due: () => {
      isDue = true
    },
    run: whenDue(optimise.pipe(Effect.andThen(reclaim), Effect.andThen(checkpoint))),
    close: whenDue(
      optimise.pipe(
        Effect.andThen(reclaim),
        Effect.andThen(checkpoint),
        Effect.andThen(rewrite),
        Effect.andThen(checkpoint)
      )
    )
  }
}

/**
 * Takes what was removed out of the file: out of the indexes of words, which only mark it, out of free pages, and out of the
 * log of writes. Freed space goes back to the file system.
 */
import type { Database } from "./driver/Database.ts"
import type * as SqliteClient from "./driver/SqliteClient.ts"
import * as SqliteProcess from "./driver/SqliteProcess.ts"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import * as Damage from "./conversations/Damage.ts"
import * as Failure from "./Failure.ts"

export interface Erasure {
  /** Marks that something was removed. */
  readonly due: () => void
  /** Erases what is due. While others read or write it stays due. */
  readonly run: Effect.Effect<void, SqlError>
  /** The same when the store closes; then a file that cannot give space back by itself is rewritten. */
  readonly close: Effect.Effect<void, SqlError>
}

const incremental = 2

/** Part of an older file, which gives nothing back by itself, that has to be free before it is rewritten. */
const worthVacuum = 1 / 4

/** Free pages that are given back at a time: other work goes on in between. */
const slicePages = 1_000

const number = (database: Database, pragma: string): number => Number(database.get(`PRAGMA ${pragma}`)?.[pragma] ?? 0)

const shrinks = (database: Database): boolean => number(database, "auto_vacuum") === incremental

/** Gives a slice of the free pages back; true if there are more. */
const giveBack = (database: Database): boolean => {
  if (!shrinks(database) || number(database, "freelist_count") === 0) return false
  database.exec(`PRAGMA incremental_vacuum(${slicePages})`)
  return number(database, "freelist_count") > 0
}

const isWorthVacuum = (database: Database): boolean =>
  !shrinks(database) && number(database, "freelist_count") > number(database, "page_count") * worthVacuum

/** The settings of the store's own connection, as far as a rewrite needs them. */
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
  /** Only when the store closes: nothing else of this process writes while the file is locked. */
  const rewrite = Effect.flatMap(client.sync(isWorthVacuum), (isWorth) =>
    isWorth
      ? Effect.interruptible(
          SqliteProcess.run({ filename, readOnly: false, statements: vacuum, operation: "rewrite the file" })
        )
      : Effect.void
  )
  /**
   * Runs the work if an erasure is due. It is due again if the work fails or ends early, or if a removal happens
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

/**
 * Takes what was removed out of the file: out of the indexes of words, which only mark it, out of free pages, and out of the
 * log of writes. Freed space goes back to the file system.
 */
import type { Database } from "./driver/Database.ts"
import type * as SqliteClient from "./driver/SqliteClient.ts"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import * as Damage from "./conversations/Damage.ts"
import * as Failure from "./Failure.ts"

export interface Erasure {
  /** Something was removed. */
  readonly due: () => void
  /** Does what is due. While others read or write it stays due. */
  readonly run: Effect.Effect<void, SqlError>
}

const incremental = 2

/** Of a file of before, which gives nothing back by itself: this much of it is free before it is written anew. */
const worthVacuum = 1 / 4

const number = (database: Database, pragma: string): number => Number(database.get(`PRAGMA ${pragma}`)?.[pragma] ?? 0)

const reclaim = (database: Database): void => {
  const free = number(database, "freelist_count")
  if (number(database, "auto_vacuum") === incremental) {
    if (free > 0) database.exec("PRAGMA incremental_vacuum")
  } else if (free > number(database, "page_count") * worthVacuum) {
    database.exec("PRAGMA auto_vacuum = INCREMENTAL; VACUUM")
  }
}

export const make = (client: SqliteClient.SqliteClient): Erasure => {
  let isDue = false
  return {
    due: () => {
      isDue = true
    },
    run: Effect.suspend(() => {
      if (!isDue) return Effect.void
      return client
        .sync((database) => {
          database.run("INSERT INTO notes_words (notes_words) VALUES ('optimize')")
          Damage.orReset(database, () =>
            database.run("INSERT INTO conversation_words (conversation_words) VALUES ('optimize')")
          )
          reclaim(database)
          isDue = database.get("PRAGMA wal_checkpoint(TRUNCATE)")?.["busy"] !== 0
        })
        .pipe(Effect.catchIf(Failure.isLocked, () => Effect.void))
    })
  }
}

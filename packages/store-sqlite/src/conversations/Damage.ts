/**
 * Handles damage to the index of conversations, which can be rebuilt from the journals: neither a commit in the same
 * transaction nor the removal of a session fails because of it.
 */
import * as Result from "effect/Result"
import type { SqlError } from "effect/sql/SqlError"
import type { Database } from "../driver/Database.ts"
import * as SqliteError from "../driver/SqliteError.ts"
import * as Tables from "./Tables.ts"

/** True for a damaged page or record, or a table of the index that cannot be opened. */
export const isDamage = (error: SqlError): boolean => {
  const code = SqliteError.primaryCode(error)
  return code === 11 || (code === 1 && /conversation_|vtable|fts5|SQL logic error/u.test(error.message))
}

const recreatedTable = `DROP TABLE conversation_words; ${Tables.words}`

/**
 * Restores a table's settings, without which the table can be neither read nor dropped; the settings of the dropped
 * format are enough.
 */
const withSettings = `
  CREATE TABLE IF NOT EXISTS conversation_words_config (k PRIMARY KEY, v) WITHOUT ROWID;
  INSERT OR REPLACE INTO conversation_words_config VALUES ('version', 4);
`

const ways: ReadonlyArray<string> = [
  "INSERT INTO conversation_words (conversation_words) VALUES ('delete-all')",
  recreatedTable,
  `${withSettings} ${recreatedTable}`
]

/** Empties the index, or drops its table and creates it again. If neither works, the next search reports it. */
export const reset = (database: Database): void => {
  database.run("DELETE FROM conversation_texts")
  database.run("DELETE FROM conversation_progress")
  ways.some((sql) => Result.isSuccess(attempt(database, () => database.exec(sql))))
}

/** Runs a part of a transaction on the index; if the index is damaged, rolls the part back and returns the error. */
const attempt = <A>(database: Database, part: () => A): Result.Result<A, SqlError> => {
  database.run("SAVEPOINT conversations")
  const result = Result.try({ try: part, catch: (thrown) => thrown })
  if (Result.isSuccess(result)) {
    database.run("RELEASE conversations")
    return Result.succeed(result.success)
  }
  const error = SqliteError.fromCause(result.failure, "index what was said")
  if (!isDamage(error)) throw result.failure
  database.run("ROLLBACK TO conversations")
  database.run("RELEASE conversations")
  return Result.fail(error)
}

/** Runs the part; if the index is damaged, empties it and returns null. */
export const orReset = <A>(database: Database, part: () => A): A | null => {
  const result = attempt(database, part)
  if (Result.isSuccess(result)) return result.success
  reset(database)
  return null
}

/**
 * Damage to the index of what was said, which is made anew from the journals: neither a commit that is written in the same
 * transaction nor the removal of a session fails because of it.
 */
import { type Database, SqliteError } from "@bough/sqlite"
import type { SqlError } from "effect/sql/SqlError"
import * as Result from "effect/Result"
import * as Tables from "./Tables.ts"

/** A damaged page or record; or a table of the index that cannot be opened. */
export const isDamage = (error: SqlError): boolean => {
  const code = SqliteError.primaryCode(error)
  return code === 11 || (code === 1 && /conversation_|vtable/u.test(error.message))
}

/** Empties the index. What is damaged so that it cannot be emptied is dropped and made again. */
export const reset = (database: Database): void => {
  database.run("DELETE FROM conversation_texts")
  database.run("DELETE FROM conversation_progress")
  const emptied = attempt(database, () => {
    database.run("INSERT INTO conversation_words (conversation_words) VALUES ('delete-all')")
  })
  if (Result.isSuccess(emptied)) return
  database.exec(`DROP TABLE conversation_words; ${Tables.words}`)
}

/** Runs a part of a transaction on the index; where the index is damaged, takes the part back and gives what it was. */
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

/** The same; a damaged index is emptied, and null given. */
export const orReset = <A>(database: Database, part: () => A): A | null => {
  const result = attempt(database, part)
  if (Result.isSuccess(result)) return result.success
  reset(database)
  return null
}

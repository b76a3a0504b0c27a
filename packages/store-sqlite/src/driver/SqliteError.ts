/**
 * SQLite's failures as `SqlError`. effect's classifier reads `errno`, but node:sqlite sets `errcode`: without copying
 * it, a unique violation would count as an unknown error.
 */
import * as Predicate from "effect/Predicate"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"

/** `operation` is a word for users, such as "execute". */
export const fromCause = (cause: unknown, operation: string): SqlError => {
  if (cause instanceof Error && Predicate.hasProperty(cause, "errcode")) Object.assign(cause, { errno: cause.errcode })
  const message = cause instanceof Error ? cause.message : String(cause)
  return new SqlError({ reason: classifySqliteError(cause, { message, operation }) })
}

/** SQLite's extended result code (2067 is a unique violation, 13 a full disk); null: the failure is not SQLite's. */
export const resultCode = (error: SqlError): number | null => {
  const { cause } = error.reason
  return Predicate.hasProperty(cause, "errcode") && typeof cause.errcode === "number" ? cause.errcode : null
}

/** Returns the low byte of the code, which groups extended codes: 10 means any I/O error. */
export const primaryCode = (error: SqlError): number | null => {
  const code = resultCode(error)
  return code === null ? null : code & 0xff
}

/** Reports a call on a closed file; SQLite is not called. */
export class DatabaseClosed extends Error {
  override readonly name = "DatabaseClosed"
  constructor() {
    super("the database was closed")
  }
}

export const isClosed = (error: SqlError): boolean => error.reason.cause instanceof DatabaseClosed

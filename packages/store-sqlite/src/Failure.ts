/** Translates errors of SQLite into errors with the next step for users. */
import { SessionStore } from "@bough/runtime"
import type { SqlError } from "effect/sql/SqlError"
import * as SqliteError from "./driver/SqliteError.ts"

type Words = readonly [message: string, hint: string]

const words: Readonly<Record<number, Words>> = {
  5: ["another process has locked the session store", "end the other process, or try again when it is done"],
  6: ["another process has locked the session store", "end the other process, or try again when it is done"],
  8: [
    "the session store cannot be written, or its file was moved away",
    "make the file writable where it is, and start again"
  ],
  10: [
    "the disk failed to read or write the session store",
    "check the disk, then start again: nothing is written until the store has been opened again"
  ],
  11: ["the session store is damaged", "run `bough doctor`, and restore the file from a backup"],
  13: ["the disk is full", "free some space, then try again"],
  26: ["the session store is damaged", "run `bough doctor`, and restore the file from a backup"]
}

/** Reports a failed operation as the port's error. */
export const storeFailed = (operation: string, error: SqlError): SessionStore.StoreFailed => {
  if (SqliteError.isClosed(error)) {
    return new SessionStore.StoreFailed({
      operation,
      message: `the store was closed before it could ${operation}`,
      hint: "use the store within the scope of its layer, or open it again"
    })
  }
  const [message, hint] = words[SqliteError.primaryCode(error) ?? -1] ?? [
    `the session store failed to ${operation}`,
    "run `bough doctor`"
  ]
  return new SessionStore.StoreFailed({ operation, message: `${message} (${error.message})`, hint })
}

/** Reports that the file at the store's path is no longer the opened one. */
export const movedFailure = (operation: string): SessionStore.StoreFailed =>
  new SessionStore.StoreFailed({
    operation,
    message: "the session store was deleted or replaced while it was open: nothing more is written to it",
    hint: "put the file back where it was, or end this process and start again"
  })

/** Reports rows that do not have the shape that this version stores. */
export const unreadable = (operation: string, message: string): SessionStore.StoreFailed =>
  new SessionStore.StoreFailed({ operation, message: `the session store is damaged (${message})`, hint: words[11][1] })

/**
 * True after an I/O error: the content of the disk is then unknown, and a second sync may succeed without having
 * written. Such a store refuses writes until it is reopened, and thus read again.
 */
export const isFatal = (error: SqlError): boolean => SqliteError.primaryCode(error) === 10

export const isLocked = (error: { readonly _tag: string }): boolean => {
  const code = error._tag === "SqlError" ? SqliteError.primaryCode(error as SqlError) : null
  return code === 5 || code === 6
}

/** Makes the errors of files that are not opened, each with its reason and fix. */
import { SessionStore } from "@bough/runtime"
import type { SqlError } from "effect/sql/SqlError"
import * as SqliteError from "./driver/SqliteError.ts"

export type Reason = SessionStore.StoreRefused["reason"]

const hints: Readonly<Record<Reason, string>> = {
  Foreign: "set BOUGH_HOME to another directory, or move that file away",
  Newer: "use the newer bough, or set BOUGH_HOME to another directory",
  Torn: "restore the file from a backup, or move it away to start with an empty store",
  Locked: "end the process that has locked it, then try again",
  Unwritable: "make the directory writable, free some space, or set BOUGH_HOME to another directory"
}

/** `message` continues the sentence after the path. */
export const make = (path: string, reason: Reason, message: string): SessionStore.StoreRefused =>
  new SessionStore.StoreRefused({ path, reason, message: `${path} ${message}`, hint: hints[reason] })

/** Refuses a file that SQLite cannot open. */
export const fromSql = (path: string, error: SqlError): SessionStore.StoreRefused => {
  switch (SqliteError.primaryCode(error)) {
    case 5:
    case 6:
      return make(path, "Locked", "is locked by another process")
    case 11:
      return make(path, "Torn", `is damaged: ${error.message}`)
    case 26:
      return make(path, "Foreign", "is not a session store")
    default:
      return make(path, "Unwritable", `cannot be used: ${error.message}`)
  }
}

/** Removes a tree: its rows, and the texts and notes in other tables that belong to it. */
import type { Session } from "@bough/protocol"
import * as Result from "effect/Result"
import * as Blobs from "./Blobs.ts"
import * as Damage from "./conversations/Damage.ts"
import * as TextRows from "./conversations/TextRows.ts"
import type { Database } from "./driver/Database.ts"
import * as NoteWrites from "./notes/NoteWrites.ts"

/** Removes all rows of that tree, and the blobs that only the tree named, within the caller's transaction. */
export const remove = (database: Database, treeId: Session.SessionId, nowMillis: number): Result.Result<void> => {
  const inTree = "session_id IN (SELECT session_id FROM sessions WHERE tree_id = ?)"
  NoteWrites.discardStagedBy(database, treeId)
  Damage.orReset(database, () => TextRows.forget(database, treeId))
  for (const table of ["entries", "scratchpads"]) database.run(`DELETE FROM ${table} WHERE ${inTree}`, [treeId])
  for (const table of ["inbox", "approvals", "sessions", "lease_sightings"]) {
    database.run(`DELETE FROM ${table} WHERE tree_id = ?`, [treeId])
  }
  Blobs.release(database, treeId, nowMillis)
  database.run("DELETE FROM trees WHERE tree_id = ?", [treeId])
  return Result.succeed(undefined)
}

/** Rows of sessions, and the end of a tree. */
import { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import type { Database, Row } from "@bough/sqlite"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Blobs from "./Blobs.ts"
import * as Failure from "./Failure.ts"
import * as NoteWrites from "./notes/NoteWrites.ts"

const decodeSummaries = Schema.decodeUnknownEffect(Schema.Array(Session.Summary))

const decode = (operation: string) => (rows: ReadonlyArray<Row>) =>
  Effect.mapError(decodeSummaries(rows), (error) => Failure.unreadable(operation, String(error)))

export const make = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal(
    `session_id AS "sessionId", tree_id AS "treeId", kind, state, title, workspace_root AS "workspaceRoot", entries,
     created_at_millis AS "createdAtMillis", updated_at_millis AS "updatedAtMillis"`
  )

  const session = Effect.fnUntraced(function* (sessionId: string) {
    const operation = "read the session"
    const rows = yield* Effect.mapError(
      sql<Row>`SELECT ${columns} FROM sessions WHERE session_id = ${sessionId}`,
      (error) => Failure.storeFailed(operation, error)
    )
    const [summary] = yield* decode(operation)(rows)
    return summary ?? (yield* new SessionStore.SessionNotFound({ sessionId }))
  })

  const list = ({ limit, workspaceRoot }: SessionStore.ListOptions) => {
    const operation = "list the sessions"
    const here = workspaceRoot === null ? sql.literal("TRUE") : sql`workspace_root = ${workspaceRoot}`
    return sql<Row>`
      SELECT ${columns} FROM sessions WHERE kind = 'Main' AND ${here}
      ORDER BY updated_at_millis DESC, created_at_millis DESC, session_id LIMIT ${limit}`.pipe(
      Effect.mapError((error) => Failure.storeFailed(operation, error)),
      Effect.flatMap(decode(operation))
    )
  }

  const sessionsOf = (treeId: Session.SessionId) => {
    const operation = "list the sessions of a tree"
    return sql<Row>`SELECT ${columns} FROM sessions WHERE tree_id = ${treeId}`.pipe(
      Effect.mapError((error) => Failure.storeFailed(operation, error)),
      Effect.flatMap(decode(operation)),
      Effect.map((rows) => rows.toSorted(SessionStore.byAge))
    )
  }

  return { session, list, sessionsOf }
}

/** A transaction's part: everything of that tree, and the blobs that only it named. */
export const remove = (database: Database, treeId: Session.SessionId, nowMillis: number): Result.Result<void> => {
  const ofTree = "session_id IN (SELECT session_id FROM sessions WHERE tree_id = ?)"
  NoteWrites.dropHeldBy(database, treeId)
  for (const table of ["entries", "scratchpads"]) database.run(`DELETE FROM ${table} WHERE ${ofTree}`, [treeId])
  for (const table of ["inbox", "approvals", "sessions"]) {
    database.run(`DELETE FROM ${table} WHERE tree_id = ?`, [treeId])
  }
  Blobs.release(database, treeId, nowMillis)
  database.run("DELETE FROM trees WHERE tree_id = ?", [treeId])
  return Result.succeed(undefined)
}

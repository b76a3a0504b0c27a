/** Rows of sessions. */
import { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Database, Row } from "./driver/Database.ts"
import * as Failure from "./Failure.ts"

const decodeSummaries = Schema.decodeUnknownEffect(Schema.Array(Session.Summary))

const decode = (operation: string) => (rows: ReadonlyArray<Row>) =>
  Effect.mapError(decodeSummaries(rows.map(withoutNull)), (error) => Failure.unreadable(operation, String(error)))

/** Leaves out the archive time of a session that is not archived. */
const withoutNull = (row: Row): Row => {
  if (row["archivedAtMillis"] !== null) return row
  const { archivedAtMillis: _, ...rest } = row
  return rest
}

export const make = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal(
    `session_id AS "sessionId", tree_id AS "treeId", kind, state, title, user, agent, workspace_root AS "workspaceRoot", entries,
     created_at_millis AS "createdAtMillis", updated_at_millis AS "updatedAtMillis",
     archived_at_millis AS "archivedAtMillis"`
  )

  const main = sql.literal("sessions")
  // Few sessions are active: without statistics, SQLite would scan all of them in list order.
  const active = sql.literal("sessions INDEXED BY sessions_active")

  const conditions = ({
    after,
    agent,
    isArchived,
    state,
    titleContains,
    user,
    workspaceRoot
  }: SessionStore.ListOptions) =>
    [
      // A literal, because the partial indexes contain the same literal.
      sql.literal("kind = 'Main'"),
      workspaceRoot === null ? null : sql`workspace_root = ${workspaceRoot}`,
      user === undefined ? null : user === null ? sql.literal("user IS NULL") : sql`user = ${user}`,
      // Without an agent, only the index by workspace is used.
      agent === undefined ? null : workspaceRoot === null ? sql`agent = ${agent}` : sql`+agent = ${agent}`,
      state === undefined ? null : state === "Active" ? sql.literal("state = 'Active'") : sql`state = ${state}`,
      isArchived === undefined ? null : sql.literal(`archived_at_millis IS ${isArchived ? "NOT NULL" : "NULL"}`),
      titleContains === undefined ? null : sql`title LIKE ${`%${escapeLike(titleContains)}%`} ESCAPE '\\'`,
      after === undefined ? null : laterThan(after)
    ].filter((condition) => condition !== null)

  const laterThan = ({ createdAtMillis, sessionId, updatedAtMillis }: SessionStore.Cursor) => sql`
    changed_second <= ${secondOf(updatedAtMillis)} AND (updated_at_millis < ${updatedAtMillis} OR
      (updated_at_millis = ${updatedAtMillis} AND (created_at_millis < ${createdAtMillis} OR
        (created_at_millis = ${createdAtMillis} AND session_id > ${sessionId}))))`

  const session = Effect.fnUntraced(function* (sessionId: string) {
    const operation = "read the session"
    const rows = yield* Effect.mapError(
      sql<Row>`SELECT ${columns} FROM sessions WHERE session_id = ${sessionId}`,
      (error) => Failure.storeFailed(operation, error)
    )
    const [summary] = yield* decode(operation)(rows)
    return summary ?? (yield* new SessionStore.SessionNotFound({ sessionId }))
  })

  const list = (options: SessionStore.ListOptions) => {
    const operation = "list the sessions"
    return sql<Row>`
      SELECT ${columns} FROM ${options.state === "Active" ? active : main} WHERE ${sql.and(conditions(options))}
      ORDER BY changed_second DESC, updated_at_millis DESC, created_at_millis DESC, session_id
      LIMIT ${options.limit}`.pipe(
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

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/gu, (character) => `\\${character}`)

/** Sets the title of a session, or archives the session. */
export const describe = (
  database: Database,
  sessionId: string,
  { expected, isArchived, nowMillis, title }: SessionStore.Description & { readonly nowMillis: number }
): Result.Result<void, SessionStore.SessionNotFound | SessionStore.DescriptionChanged> => {
  const found = database.get("SELECT title, archived_at_millis FROM sessions WHERE session_id = ?", [sessionId])
  if (found === undefined) return Result.fail(new SessionStore.SessionNotFound({ sessionId }))
  if (
    expected !== undefined &&
    (expected.title !== found["title"] || (expected.archivedAtMillis ?? null) !== found["archived_at_millis"])
  )
    return Result.fail(new SessionStore.DescriptionChanged({ sessionId }))
  if (title !== undefined) {
    database.run("UPDATE sessions SET title = ?, named = 1 WHERE session_id = ?", [title, sessionId])
  }
  // If a session is archived again, the first time is kept.
  if (isArchived === true) {
    database.run("UPDATE sessions SET archived_at_millis = coalesce(archived_at_millis, ?) WHERE session_id = ?", [
      nowMillis,
      sessionId
    ])
  }
  if (isArchived === false) {
    database.run("UPDATE sessions SET archived_at_millis = NULL WHERE session_id = ?", [sessionId])
  }
  return Result.void
}

const workQuery = `
  SELECT s.tree_id, s.state, s.updated_at_millis, waiting.newest,
    EXISTS (SELECT 1 FROM approvals a WHERE a.tree_id = s.tree_id AND a.open = 1 AND a.expires_at_millis <= ?1) AS expired
  FROM (
    SELECT tree_id FROM inbox WHERE done = 0
    UNION SELECT tree_id FROM sessions WHERE kind = 'Main' AND state = 'Active'
    UNION SELECT tree_id FROM approvals WHERE open = 1 AND expires_at_millis <= ?1
  ) AS trees
  JOIN sessions s ON s.session_id = trees.tree_id
  LEFT JOIN (SELECT tree_id, max(seq) AS newest FROM inbox WHERE done = 0 GROUP BY tree_id) AS waiting
    ON waiting.tree_id = trees.tree_id`

const workOfQuery = `
  SELECT s.tree_id, s.state, s.updated_at_millis,
    (SELECT max(seq) FROM inbox WHERE tree_id = ?2 AND done = 0) AS newest,
    EXISTS (SELECT 1 FROM approvals a WHERE a.tree_id = ?2 AND a.open = 1 AND a.expires_at_millis <= ?1) AS expired
  FROM sessions s WHERE s.session_id = ?2`

const toWork = (row: Row): SessionStore.OpenWork => ({
  treeId: Session.SessionId.make(String(row["tree_id"])),
  newestRow: row["newest"] === null ? null : Number(row["newest"]),
  isActive: row["state"] === "Active",
  isExpired: row["expired"] === 1,
  updatedAtMillis: Number(row["updated_at_millis"])
})

/** Returns the trees that have work to do. */
export const work = (database: Database, nowMillis: number): ReadonlyArray<SessionStore.OpenWork> =>
  database.all(workQuery, [nowMillis]).map(toWork)

/** Returns the work of one tree without reading the others; null: it has none. */
export const workOf = (
  database: Database,
  treeId: Session.SessionId,
  nowMillis: number
): SessionStore.OpenWork | null => {
  const row = database.get(workOfQuery, [nowMillis, treeId])
  if (row === undefined) return null
  const found = toWork(row)
  return found.newestRow !== null || found.isActive || found.isExpired ? found : null
}

/** Returns the second of a time; lists are ordered by the second of a session's last change. */
export const secondOf = (millis: number): number => Math.floor(millis / 1000)

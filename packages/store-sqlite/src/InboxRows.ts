/**
 * The rows that other sessions and users submit to a tree's owner, each key once. A decision is accepted only while its
 * request is open and before its deadline.
 */
import { Approval, Canonical, Inbox, Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Database, Row } from "./driver/Database.ts"
import * as Failure from "./Failure.ts"

const decodeRow = Schema.decodeUnknownResult(
  Schema.Struct({ ...Inbox.Row.fields, command: Schema.fromJsonString(Inbox.Command) })
)
const decodeRequest = Schema.decodeUnknownResult(Schema.fromJsonString(Approval.Request))

type InboxError = SessionStore.SessionNotFound | SessionStore.ApprovalClosed

export const submit = (submission: Inbox.Submission) => {
  const { command, principal, treeId } = submission
  const dedupeKey = Inbox.keyOf(submission)
  const text = Canonical.stringify(command)
  return (database: Database, nowMillis: number): Result.Result<{ readonly inserted: boolean }, InboxError> => {
    if (database.get("SELECT 1 FROM trees WHERE tree_id = ?", [treeId]) === undefined) {
      return Result.fail(new SessionStore.SessionNotFound({ sessionId: treeId }))
    }
    if (database.get("SELECT 1 FROM inbox WHERE tree_id = ? AND dedupe_key = ?", [treeId, dedupeKey]) !== undefined) {
      return Result.succeed({ inserted: false })
    }
    if (command._tag === "DecideApproval") {
      const { approvalId } = command
      const row = database.get(
        "SELECT expires_at_millis FROM approvals WHERE approval_id = ? AND tree_id = ? AND open = 1",
        [approvalId, treeId]
      )
      const request = { expiresAtMillis: Number(row?.["expires_at_millis"]) }
      if (row === undefined || !Inbox.inTime(command, request, nowMillis)) {
        return Result.fail(new SessionStore.ApprovalClosed({ approvalId }))
      }
    }
    database.run(
      `INSERT INTO inbox SELECT ?1, coalesce(max(seq) + 1, 0), ?2, ?3, ?4, ?5, 0 FROM inbox WHERE tree_id = ?1`,
      [treeId, dedupeKey, text, principal, nowMillis]
    )
    return Result.succeed({ inserted: true })
  }
}

type ReadRows<A> = Result.Result<ReadonlyArray<A>, SessionStore.StoreFailed>

export const open = (database: Database, treeId: Session.SessionId): ReadRows<Inbox.Row> => {
  const rows = database.all(
    `SELECT tree_id AS treeId, seq, dedupe_key AS dedupeKey, command, principal, submitted_at_millis AS submittedAtMillis
     FROM inbox WHERE tree_id = ? AND done = 0 ORDER BY seq`,
    [treeId]
  )
  return decodeAll(rows, "read the inbox", decodeRow)
}

export const pendingApprovals = (
  database: Database,
  treeId: Session.SessionId | null,
  { user }: SessionStore.RequestFilter = {}
): ReadRows<Approval.Request> => {
  const ofTree = treeId === null ? "" : " AND tree_id = ?"
  const ofUser =
    user === undefined ? "" : " AND (SELECT s.user FROM sessions s WHERE s.session_id = approvals.tree_id) IS ?"
  const rows = database.all(`SELECT request FROM approvals WHERE open = 1${ofTree}${ofUser} ORDER BY rowid`, [
    ...(treeId === null ? [] : [treeId]),
    ...(user === undefined ? [] : [user])
  ])
  return decodeAll(rows, "read the approvals", (row: Row) => decodeRequest(row["request"]))
}

export const approval = (
  database: Database,
  approvalId: string
): Result.Result<
  { readonly request: Approval.Request; readonly open: boolean },
  SessionStore.ApprovalNotFound | SessionStore.StoreFailed
> => {
  const row = database.get("SELECT request, open FROM approvals WHERE approval_id = ?", [approvalId])
  if (row === undefined) return Result.fail(new SessionStore.ApprovalNotFound({ approvalId }))
  return Result.mapBoth(decodeRequest(row["request"]), {
    onFailure: (error) => Failure.unreadable("read the approval", String(error)),
    onSuccess: (request) => ({ request, open: row["open"] === 1 })
  })
}

const decodeAll = <A, E>(
  rows: ReadonlyArray<Row>,
  operation: string,
  decode: (row: Row) => Result.Result<A, E>
): ReadRows<A> => {
  const decoded: Array<A> = []
  for (const row of rows) {
    const result = decode(row)
    if (Result.isFailure(result)) return Result.fail(Failure.unreadable(operation, String(result.failure)))
    decoded.push(result.success)
  }
  return Result.succeed(decoded)
}

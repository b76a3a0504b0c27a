/**
 * Writes one batch as rows if the epoch still owns the tree: each entry gets its number, and long bodies are stored as
 * blobs first.
 */
import { type Batch, Canonical, Entry, type Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Result from "effect/Result"
import * as Blobs from "./Blobs.ts"
import type { Database } from "./driver/Database.ts"
import * as LeaseRows from "./LeaseRows.ts"
import * as SessionRows from "./SessionRows.ts"
import type { Tail, Tails } from "./Tails.ts"

/** The longest body that is stored in its row; longer ones are blobs. */
const inlineBytes = 16 * 1024

interface PreparedEntry {
  readonly append: Batch.Append
  readonly text: string
  readonly labels: string
  /** The body's text if it is too long for the row. */
  readonly blob: Blobs.Blob | null
  /** Digests of the blobs to which the entry refers. */
  readonly references: ReadonlyArray<string>
}

type Failures = SessionStore.LeafMoved | SessionStore.LeaseLost

/** Checks and serializes each body; this needs no lock. Throws on a body that could not be read back. */
export const prepare = (batch: Batch.Batch): ReadonlyArray<PreparedEntry> => {
  SessionStore.refuseUnreadable(batch)
  return batch.entries.map((append) => {
    const text = Canonical.stringify(append.body)
    const blob = isLong(text) ? Blobs.make(Buffer.from(text)) : null
    return {
      append,
      text,
      blob,
      labels: append.labels.length === 0 ? "[]" : JSON.stringify(append.labels),
      references: blob === null ? named(append.body) : [blob.digest, ...named(append.body)]
    }
  })
}

/** Returns the digests of the blobs that a body names. */
const named = (body: Entry.Body): ReadonlyArray<string> => {
  switch (body._tag) {
    case "CallEnded":
      return Entry.blobsOf(body.outcome)
    case "SessionOpened":
    case "UserMessage":
    case "ContextAdded":
    case "StepStarted":
    case "ModelReplied":
    case "ApprovalAsked":
    case "ApprovalDecided":
    case "CallStarted":
    case "CallDeferred":
    case "ChildSpawned":
    case "ChildEnded":
    case "RuleGiven":
    case "RuleRevoked":
    case "CommandEnded":
    case "Compacted":
    case "SamplingStarted":
    case "SamplingEnded":
    case "StateChanged":
    case "SessionEnded":
      return []
  }
}

const isLong = (text: string): boolean => text.length * 3 > inlineBytes && Buffer.byteLength(text) > inlineBytes

export interface AppendOptions {
  readonly tails: Tails
  readonly leaseMillis: number
}

/** Appends within the caller's transaction, which the caller rolls back unless this succeeds. */
export const make =
  ({ leaseMillis, tails }: AppendOptions, batch: Batch.Batch, prepared: ReadonlyArray<PreparedEntry>) =>
  (database: Database, nowMillis: number): Result.Result<SessionStore.CommitResult, Failures> => {
    const { epoch, treeId } = batch
    // The row is written in any case, so that a commit also extends the lease's deadline.
    const tree = database.get(
      `UPDATE trees SET commits = commits + 1, lease_counter_millis = ${LeaseRows.extended}
       WHERE tree_id = ? AND epoch = ? AND owner_pid IS NOT NULL RETURNING commits`,
      [LeaseRows.monotonicMillis() + leaseMillis, treeId, epoch]
    )
    if (tree === undefined) {
      tails.forget(treeId)
      return Result.fail(new SessionStore.LeaseLost({ treeId }))
    }
    const commit = Number(tree["commits"])
    const staged = new Map<Session.SessionId, Tail>()
    const entries: Array<Entry.Entry> = []
    for (const { append, blob, labels, references, text } of prepared) {
      const { body, expectedSeq: seq, sessionId } = append
      const tail = staged.get(sessionId) ?? tails.read(database, sessionId, epoch)
      if (tail.seq !== seq) {
        const stored = tails.read(database, sessionId, epoch)
        return Result.fail(new SessionStore.LeafMoved({ sessionId, seq: stored.seq }))
      }
      const misuse = SessionStore.assertValidAppend(treeId, append, tail.treeId)
      if (misuse !== null) throw new Error(misuse)
      if (body._tag === "SessionOpened") open(database, SessionStore.openedRow(treeId, sessionId, body))
      const digest = Canonical.chain(tail.digest, text)
      if (blob !== null) Blobs.insert(database, blob, nowMillis)
      for (const reference of references) Blobs.refer(database, treeId, { digest: reference, nowMillis })
      database.run("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [
        sessionId,
        seq,
        commit,
        Entry.currentVersion,
        labels,
        blob === null ? text : null,
        blob?.digest ?? null,
        digest
      ])
      staged.set(sessionId, { treeId, seq: seq + 1, digest, second: tail.second })
      entries.push({ id: Entry.idOf(sessionId, seq), sessionId, seq, commit, labels: append.labels, digest, body })
    }
    const second = SessionRows.secondOf(nowMillis)
    for (const [sessionId, tail] of staged) {
      const { seq } = tail
      database.run("UPDATE sessions SET entries = ?, updated_at_millis = ? WHERE session_id = ?", [
        seq,
        nowMillis,
        sessionId
      ])
      // Lists are ordered by this time in seconds, so that their indexes change at most once a second per session
      // instead of with each commit.
      if (tail.second === second) continue
      database.run("UPDATE sessions SET changed_second = ? WHERE session_id = ?", [second, sessionId])
      staged.set(sessionId, { ...tail, second })
    }
    for (const projection of batch.projections) project(database, treeId, projection)
    for (const [sessionId, tail] of staged) tails.write(sessionId, epoch, tail)
    return Result.succeed({ commit, entries })
  }

const open = (database: Database, row: Session.Summary): void =>
  void database.run("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, NULL)", [
    row.sessionId,
    row.treeId,
    row.kind,
    row.state,
    row.title,
    row.workspaceRoot,
    row.entries,
    row.createdAtMillis,
    row.updatedAtMillis,
    row.user,
    row.agent
  ])

const project = (database: Database, treeId: Session.SessionId, projection: Batch.Projection): void => {
  switch (projection._tag) {
    case "SessionState":
      database.run("UPDATE sessions SET state = ? WHERE session_id = ? AND tree_id = ?", [
        projection.state,
        projection.sessionId,
        treeId
      ])
      return
    case "SessionTitle":
      database.run("UPDATE sessions SET title = ? WHERE session_id = ? AND tree_id = ? AND named = 0", [
        projection.title,
        projection.sessionId,
        treeId
      ])
      return
    case "ApprovalPending": {
      const { approvalId, expiresAtMillis } = projection.request
      database.run("INSERT INTO approvals VALUES (?, ?, ?, ?, 1) ON CONFLICT DO NOTHING", [
        approvalId,
        treeId,
        Canonical.stringify(projection.request),
        expiresAtMillis
      ])
      return
    }
    case "ApprovalClosed":
      database.run("UPDATE approvals SET open = 0 WHERE approval_id = ? AND tree_id = ?", [
        projection.approvalId,
        treeId
      ])
      return
    case "InboxDone":
      database.run("UPDATE inbox SET done = 1 WHERE tree_id = ? AND dedupe_key = ?", [treeId, projection.dedupeKey])
  }
}

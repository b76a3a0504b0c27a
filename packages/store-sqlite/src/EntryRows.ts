/** Reads entries from their rows: verifies the chain, decodes each body, and skips nothing. */
import { Canonical, Entry, Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as BodyVersion from "./BodyVersion.ts"
import type { Database, Row } from "./driver/Database.ts"

const strict = { onExcessProperty: "error" } as const
const decodeBody = Schema.decodeUnknownResult(Entry.Body, strict)
const decodeLabels = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Array(Session.Label)))
/** The labels of most entries. */
const noLabels: ReadonlyArray<Session.Label> = []
const decodeText = new TextDecoder()
const parse = (text: string): Result.Result<unknown, unknown> =>
  Result.try({ try: () => JSON.parse(text) as unknown, catch: (thrown) => thrown })

type ReadResult<A> = Result.Result<A, SessionStore.JournalCorrupt>

export interface Page {
  readonly sessionId: Session.SessionId
  readonly fromSeq: number
  readonly limit: number
}

export const read = (
  database: Database,
  { fromSeq, limit, sessionId }: Page
): ReadResult<ReadonlyArray<Entry.Entry>> => {
  const corrupt = (seq: number, message: string) =>
    Result.fail(new SessionStore.JournalCorrupt({ sessionId, seq, message }))
  // Counted first, because a concurrent writer can only add entries.
  const count = Number(database.get("SELECT entries FROM sessions WHERE session_id = ?", [sessionId])?.["entries"] ?? 0)
  const rows = database.all(
    `SELECT e.seq, e.commit_number, e.v, e.labels, e.body, e.body_blob, b.bytes, e.digest
     FROM entries e LEFT JOIN blobs b ON b.digest = e.body_blob
     WHERE e.session_id = ? AND e.seq >= ? ORDER BY e.seq LIMIT ?`,
    [sessionId, fromSeq, limit]
  )
  const before = "SELECT digest FROM entries WHERE session_id = ? AND seq = ?"
  let previous = ""
  if (fromSeq > 0 && rows.length > 0) {
    const row = database.get(before, [sessionId, fromSeq - 1])
    if (row === undefined) return corrupt(fromSeq - 1, `entry ${fromSeq - 1} is missing`)
    previous = String(row["digest"])
  }
  const entries: Array<Entry.Entry> = []
  for (const row of rows) {
    const seq = fromSeq + entries.length
    if (row["seq"] !== seq) return corrupt(seq, `entry ${seq} is missing`)
    const entry = decode(sessionId, row, previous)
    if (Result.isFailure(entry)) return corrupt(seq, entry.failure)
    previous = entry.success.digest
    entries.push(entry.success)
  }
  const next = fromSeq + entries.length
  return entries.length < limit && next < count ? corrupt(next, `entry ${next} is missing`) : Result.succeed(entries)
}

const decode = (sessionId: Session.SessionId, row: Row, previous: string): Result.Result<Entry.Entry, string> => {
  const seq = Number(row["seq"])
  const { body, bytes, digest } = row
  const text = typeof body === "string" ? body : bytes instanceof Uint8Array ? decodeText.decode(bytes) : null
  if (text === null) return Result.fail(`the blob ${String(row["body_blob"])} of entry ${seq} is missing`)
  const chained = Canonical.chain(previous, text)
  if (chained !== digest)
    return Result.fail(`entry ${seq} does not fit its digest: it gives ${chained}, and ${String(digest)} is stored`)
  const parsed = parse(text)
  if (Result.isFailure(parsed)) return Result.fail(`entry ${seq} is not JSON`)
  const current = BodyVersion.upgrade(Number(row["v"]), parsed.success)
  if (current === null) return Result.fail(`entry ${seq} is of version ${String(row["v"])}, which a newer bough wrote`)
  const decoded = decodeBody(current)
  if (Result.isFailure(decoded)) return Result.fail(`entry ${seq} does not decode: ${String(decoded.failure)}`)
  const labels = row["labels"] === "[]" ? Result.succeed(noLabels) : decodeLabels(row["labels"])
  if (Result.isFailure(labels)) return Result.fail(`the labels of entry ${seq} do not decode`)
  return Result.succeed({
    id: Entry.idOf(sessionId, seq),
    sessionId,
    seq,
    commit: Number(row["commit_number"]),
    labels: labels.success,
    digest,
    body: decoded.success
  })
}

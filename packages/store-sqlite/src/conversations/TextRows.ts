/** Rows of the index of conversations: made from the journals, session by session, in the order of their entries. */
import { type Entry, Principal, Session } from "@bough/protocol"
import { NoteWords } from "@bough/text"
import { type ConversationIndex } from "@bough/tool"
import * as Result from "effect/Result"
import type { Database } from "../driver/Database.ts"
import * as EntryRows from "../EntryRows.ts"

export interface Text {
  readonly speaker: ConversationIndex.ConversationMessage["speaker"]
  readonly text: string
}

/** The number of characters of one text whose words are indexed. */
const maxLength = 32_000

/** Returns the text of an entry that the user wrote or was shown; null: it has none. */
export const textOf = ({ body }: Entry.Entry): Text | null => {
  switch (body._tag) {
    case "UserMessage":
      return Principal.isPerson(body.principal) && body.text.trim() !== "" ? { speaker: "user", text: body.text } : null
    case "ModelReplied": {
      const text = body.parts.flatMap((part) => (part._tag === "Text" ? [part.text] : [])).join("\n")
      return text.trim() === "" ? null : { speaker: "agent", text }
    }
    case "SessionOpened":
    case "ContextAdded":
    case "StepStarted":
    case "ApprovalAsked":
    case "ApprovalDecided":
    case "CallStarted":
    case "CallDeferred":
    case "CallEnded":
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
      return null
  }
}

interface IndexedRange {
  readonly sessionId: Session.SessionId
  readonly fromSeq: number
  readonly entries: number
}

const behindOf = `
  FROM sessions s LEFT JOIN conversation_progress p ON p.session_id = s.session_id
  WHERE s.kind = 'Main' AND s.user IS NOT NULL AND s.entries > coalesce(p.next_seq, 0)`

/** Counts the entries that are not indexed yet. */
export const countUnindexed = (database: Database): number =>
  Number(database.get(`SELECT coalesce(sum(s.entries - coalesce(p.next_seq, 0)), 0) AS n ${behindOf}`)?.["n"])

/**
 * Indexes at most the given number of entries of the most recently changed session; returns how many it passed, 0 if
 * none are left. It runs within the caller's transaction, and skips entries that another process has indexed.
 */
export const indexSome = (database: Database, redact: (text: string) => string, limit: number): number => {
  const row = database.get(
    `SELECT s.session_id, s.entries, coalesce(p.next_seq, 0) AS next ${behindOf} ORDER BY s.changed_second DESC LIMIT 1`
  )
  if (row === undefined) return 0
  const sessionId = Session.SessionId.make(String(row["session_id"]))
  const fromSeq = Number(row["next"])
  const page = EntryRows.read(database, { sessionId, fromSeq, limit })
  if (Result.isSuccess(page)) {
    insert(database, page.success, redact)
    return pass(database, { sessionId, fromSeq, entries: page.success.length })
  }
  const { seq } = page.failure
  if (seq > fromSeq) return indexSome(database, redact, seq - fromSeq)
  // Stops at the damage, which readers of the journal report, because later entries cannot be trusted.
  return pass(database, { sessionId, fromSeq, entries: Number(row["entries"]) - fromSeq })
}

const insert = (database: Database, entries: ReadonlyArray<Entry.Entry>, redact: (text: string) => string): void => {
  for (const entry of entries) {
    const message = textOf(entry)
    if (message === null) continue
    const words = NoteWords.storedWords(redact(message.text.slice(0, maxLength)))
    if (words.length === 0) continue
    database.run("INSERT INTO conversation_texts (session_id, seq) VALUES (?, ?)", [entry.sessionId, entry.seq])
    database.run("INSERT INTO conversation_words (rowid, words) VALUES (last_insert_rowid(), ?)", [words.join(" ")])
  }
}

const pass = (database: Database, { entries, fromSeq, sessionId }: IndexedRange): number => {
  database.run(
    `INSERT INTO conversation_progress (session_id, next_seq) VALUES (?, ?)
     ON CONFLICT (session_id) DO UPDATE SET next_seq = excluded.next_seq`,
    [sessionId, fromSeq + entries]
  )
  return entries
}

const inTree = "session_id IN (SELECT session_id FROM sessions WHERE tree_id = ?)"

/** Removes the rows of a tree; runs before its sessions are removed. */
export const forget = (database: Database, treeId: Session.SessionId): void => {
  database.run(`DELETE FROM conversation_words WHERE rowid IN (SELECT row FROM conversation_texts WHERE ${inTree})`, [
    treeId
  ])
  database.run(`DELETE FROM conversation_texts WHERE ${inTree}`, [treeId])
  database.run(`DELETE FROM conversation_progress WHERE ${inTree}`, [treeId])
}

/** Finds passages of conversations by their words, and reads them from the journal. */
import { Session } from "@bough/protocol"
import { NoteWords } from "@bough/text"
import { type ConversationIndex } from "@bough/tool"
import * as Result from "effect/Result"
import type { Database, Row } from "../driver/Database.ts"
import * as EntryRows from "../EntryRows.ts"
import * as TextRows from "./TextRows.ts"

/**
 * The number of index rows that are read per result: several sessions may contain the same text, since a fork copies
 * its entries.
 */
const rowsOfEach = 3

const query = `
  SELECT t.session_id, t.seq, s.title, s.workspace_root, s.created_at_millis, s.updated_at_millis,
    bm25(conversation_words) AS rank
  FROM conversation_words JOIN conversation_texts t ON t.row = conversation_words.rowid
  JOIN sessions s ON s.session_id = t.session_id
  WHERE conversation_words MATCH ?1 AND s.user = ?2 AND (?3 IS NULL OR s.workspace_root = ?3)
    AND t.session_id IS NOT ?5
  ORDER BY rank, s.updated_at_millis DESC, t.seq DESC LIMIT ?4`

/** Returns the best results first. */
export const search = (
  database: Database,
  { limit, text, user, without, workspaceRoot }: ConversationIndex.MessageQuery
): ReadonlyArray<ConversationIndex.ConversationMessage> => {
  const queryWords = NoteWords.queryWords(text)
  if (queryWords.length === 0) return []
  const match = queryWords.map((word) => `"${word}"`).join(" OR ")
  const found = new Map<string, ConversationIndex.ConversationMessage>()
  for (const row of database.all(query, [match, user, workspaceRoot, limit * rowsOfEach, without])) {
    const excerpt = read(database, row)
    if (excerpt !== null && !found.has(excerpt.text)) found.set(excerpt.text, excerpt)
    if (found.size === limit) break
  }
  return [...found.values()]
}

/** Reads the passage of a row; null: the entry cannot be read. */
const read = (database: Database, row: Row): ConversationIndex.ConversationMessage | null => {
  const sessionId = Session.SessionId.make(String(row["session_id"]))
  const page = EntryRows.read(database, { sessionId, fromSeq: Number(row["seq"]), limit: 1 })
  const entry = Result.isSuccess(page) ? page.success[0] : undefined
  const message = entry === undefined ? null : TextRows.textOf(entry)
  if (entry === undefined || message === null) return null
  return {
    ...message,
    sessionId,
    seq: entry.seq,
    labels: entry.labels,
    title: String(row["title"]),
    workspaceRoot: String(row["workspace_root"]),
    startedAtMillis: Number(row["created_at_millis"]),
    updatedAtMillis: Number(row["updated_at_millis"]),
    score: -Number(row["rank"])
  }
}

/** Formats the messages of conversations that a search found in addition to notes. Pure. */
import { NoteWords } from "@bough/text"
import type { ConversationIndex } from "@bough/tool"
import type * as Listing from "./Listing.ts"

/** The number of characters before the first word that was searched for. */
const charactersBefore = 40
const maxLength = 160

/** Quotes the part of a message that has the first of the words, such as `agent: … the pear is ripe …`. */
export const quote = (
  { speaker, text }: Pick<ConversationIndex.ConversationMessage, "speaker" | "text">,
  query: string
): string => {
  const row = text.replaceAll(/\s+/gu, " ").trim()
  const lower = row.toLowerCase()
  const positions = NoteWords.queryWords(query).map((word) => lower.indexOf(word))
  const first = Math.min(...positions.filter((at) => at !== -1))
  const start = Number.isFinite(first) && first > charactersBefore ? first - charactersBefore : 0
  const end = start + maxLength
  const shown = row.slice(start, end).toWellFormed().trim()
  return `${speaker === "user" ? "you" : "agent"}: ${start > 0 ? "… " : ""}${shown}${end < row.length ? " …" : ""}`
}

export const toListItem = (message: ConversationIndex.ConversationMessage): Listing.ListItem => {
  const { labels, seq, sessionId, speaker, startedAtMillis } = message
  const text = message.text.replaceAll(/\s+/gu, " ")
  const date = new Date(startedAtMillis).toISOString().slice(0, "2026-01-01".length)
  const marks = labels.includes("untrusted") ? ["untrusted"] : []
  return {
    line: [`${sessionId}/${seq}`, speaker, date, ...marks, text].join("  "),
    title: text,
    facts: [speaker, date, ...marks, `${sessionId}/${seq}`]
  }
}

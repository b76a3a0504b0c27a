/** Formats the messages of conversations that a search found beside notes. Pure. */
import type { ConversationIndex } from "@bough/tool"
import type * as Listing from "./Listing.ts"

export const listed = (said: ConversationIndex.Said): Listing.Listed => {
  const { labels, seq, sessionId, speaker, startedAtMillis } = said
  const text = said.text.replaceAll(/\s+/gu, " ")
  const date = new Date(startedAtMillis).toISOString().slice(0, "2026-01-01".length)
  const marks = labels.includes("untrusted") ? ["untrusted"] : []
  return {
    line: [`${sessionId}/${seq}`, speaker, date, ...marks, text].join("  "),
    title: text,
    facts: [speaker, date, ...marks, `${sessionId}/${seq}`]
  }
}

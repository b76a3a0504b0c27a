/** Formats notes for a list, and limits their number. */
import { Note } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { type CliFailure, usage } from "../CliFailure.ts"
import type * as Listing from "../format/Listing.ts"

const untilOf = (note: Note.Note): ReadonlyArray<string> => {
  if (note.validUntilMillis === null) return []
  return [`${Note.isEnded(note, Date.now()) ? "ended" : "until"} ${Note.formatMoment(note.validUntilMillis)}`]
}

export const toListed = (note: Note.Note): Listing.ListItem => {
  const tags = note.tags.length === 0 ? [] : [note.tags.map((tag) => `#${tag}`).join(" ")]
  const project = note.project === null ? [] : [`of ${note.project}`]
  const more = [...tags, ...untilOf(note), ...project]
  const text = note.text.replaceAll(/\s+/gu, " ")
  const title = text.length > 200 ? `${text.slice(0, 200)}…` : text
  return {
    line: [note.noteId, note.kind, ...more, title].join("  "),
    title,
    facts: [note.kind, ...more, note.noteId]
  }
}

export const checkLimit = (limit: number | null): Effect.Effect<void, CliFailure> =>
  limit === null || limit >= 1 ? Effect.void : usage(`--limit cannot be ${limit}`, "give a whole number, at least 1")

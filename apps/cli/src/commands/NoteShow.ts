/** `memory show`: one note with all that is known of it, and with `--history` what it said before. */
import type { Note } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Escape from "@bough/tui/text/Escape"
import * as NoteText from "@bough/host/memory/NoteText"
import type { Program } from "../Program.ts"
import * as NoteById from "../notes/NoteById.ts"
import type { Common, NoteShowOptions } from "../command-line/Options.ts"
import { withNotes } from "../notes/WithNotes.ts"

const instant = (millis: number): string => new Date(millis).toISOString()

/** A past text below a line that says when, why and by whom it ended. */
export const formatVersion = ({ endedAtMillis, endedBy, note, noteId, reason }: Note.PastVersion): string => {
  const by = endedBy === "" ? "" : ` by ${endedBy}`
  const of = noteId === note.noteId ? "" : `, as ${note.noteId}`
  return `${instant(endedAtMillis)}  ${reason}${by}${of}\n${note.text.replaceAll(/^/gmu, "  ")}\n`
}

const formatHistory = (versions: ReadonlyArray<Note.PastVersion>): string =>
  versions.length === 0 ? "\nno other texts\n" : `\nBefore:\n\n${versions.map(formatVersion).join("\n")}`

export const showOne = (program: Program, common: Common, { format, history, id }: NoteShowOptions) =>
  withNotes(program, common, (given) =>
    Effect.gen(function* () {
      const found = yield* NoteById.find(given, id)
      const versions = yield* NoteById.past(given, found?.noteId ?? id)
      // Of a note that is no more its history alone is left.
      const note = found ?? (history && versions.length > 0 ? null : yield* NoteById.get(given, id))
      if (format === "json") return program.output.json(history ? { note, history: versions } : note, 2)
      const text = note === null ? `${id}: ${NoteById.wayOf(versions[0])}\n` : NoteText.print(note)
      program.output.answerEscaped(Escape.text(history ? `${text}${formatHistory(versions)}` : text))
    })
  )

/** `memory show`: one note with all of its fields, and its earlier versions with `--history`. */
import * as NoteText from "@bough/host/memory/NoteText"
import type { Note } from "@bough/protocol"
import * as Escape from "@bough/tui/text/Escape"
import * as Effect from "effect/Effect"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import * as NoteFlags from "../../command-line/flags/NoteFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import * as NoteById from "../../notes/NoteById.ts"
import { withNotes } from "../../notes/WithNotes.ts"
import type { Program } from "../../Program.ts"

const instant = (millis: number): string => new Date(millis).toISOString()

/** Formats an earlier version under a line that says when, why and by whom it was replaced. */
const formatVersion = ({ endedAtMillis, endedBy, note, noteId, reason }: Note.PastVersion): string => {
  const by = endedBy === "" ? "" : ` by ${endedBy}`
  const of = noteId === note.noteId ? "" : `, as ${note.noteId}`
  return `${instant(endedAtMillis)}  ${reason}${by}${of}\n${note.text.replaceAll(/^/gmu, "  ")}\n`
}

const formatHistory = (versions: ReadonlyArray<Note.PastVersion>): string =>
  versions.length === 0 ? "\nno earlier versions\n" : `\nEarlier versions:\n\n${versions.map(formatVersion).join("\n")}`

const parameters = {
  id: NoteFlags.noteId,
  history: Shapes.toggle("history", "Include the earlier versions of the note, and the notes that it superseded"),
  format: ListFlags.format
}

const show = (program: Program, common: Common, { format, history, id }: CommandOptions<typeof parameters>) =>
  withNotes(program, common, (opened) =>
    Effect.gen(function* () {
      const found = yield* NoteById.find(opened, id)
      const versions = yield* NoteById.pastVersions(opened, found?.noteId ?? id)
      // Only the history of a removed note is left.
      const note = found ?? (history && versions.length > 0 ? null : yield* NoteById.get(opened, id))
      if (format === "json") return program.output.json(history ? { note, history: versions } : note, 2)
      const text = note === null ? `${id}: ${NoteById.endText(versions[0])}\n` : NoteText.print(note)
      program.output.answerEscaped(Escape.text(history ? `${text}${formatHistory(versions)}` : text))
    })
  )

export const command = declare({ parameters, run: show })

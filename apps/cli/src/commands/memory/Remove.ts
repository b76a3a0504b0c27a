/** `memory rm`: deletes a note with its history, or only its history. */
import { Note } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as NoteFlags from "../../command-line/flags/NoteFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import * as NoteById from "../../notes/NoteById.ts"
import { withNotes } from "../../notes/WithNotes.ts"
import type { Program } from "../../Program.ts"

const parameters = {
  id: NoteFlags.noteId,
  history: Shapes.toggle("history", "Delete only the earlier versions; keep the note")
}

const remove = (program: Program, common: Common, { history, id }: CommandOptions<typeof parameters>) =>
  withNotes(program, common, (notes) =>
    Effect.gen(function* () {
      const { allProjects, store } = notes
      const found = yield* NoteById.find(notes, id)
      // A removed or superseded note may still have a history.
      const isPast = found === null && (yield* NoteById.pastVersions(notes, id)).length > 0
      const { noteId } = isPast ? { noteId: Note.NoteId.make(id) } : (found ?? (yield* NoteById.get(notes, id)))
      // A note that another process removed meanwhile is not an error.
      yield* store.remove(allProjects, noteId, { history: history ? "Only" : "Erase", by: "command line" })
      program.output.note(`${history || isPast ? `the history of note ${noteId}` : `note ${noteId}`} is deleted`)
    })
  )

export const command = declare({ parameters, run: remove })

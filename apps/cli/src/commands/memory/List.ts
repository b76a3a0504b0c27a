/** `memory list`: your notes and the notes of this project, last changed first. */
import { Note } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as NoteFlags from "../../command-line/flags/NoteFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import * as Lists from "../../io/Lists.ts"
import * as NoteRows from "../../notes/NoteRows.ts"
import { readNotes, allKinds, withNotes } from "../../notes/WithNotes.ts"
import type { Program } from "../../Program.ts"

const parameters = {
  ...NoteFlags.filter,
  project: Shapes.toggle("project", "Include only notes of this project"),
  all: Shapes.toggle("all", "Include the notes of all projects")
}

const newestFirst = (left: Note.Note, right: Note.Note): number => right.updatedAtMillis - left.updatedAtMillis

const list = (program: Program, common: Common, options: CommandOptions<typeof parameters>) =>
  withNotes(program, common, ({ allProjects, place, store }) =>
    Effect.gen(function* () {
      yield* NoteRows.checkLimit(options.limit)
      const tags = Note.normaliseTags(options.tags)
      const kinds = options.kinds.length === 0 ? allKinds.kinds : options.kinds
      const all = yield* readNotes(store, options.all ? allProjects : place, { tags, kinds })
      const notes = all.filter(({ project }) => !options.project || project === place.project).toSorted(newestFirst)
      const narrowed = tags.length > 0 || options.kinds.length > 0 || options.project
      if (notes.length === 0) program.output.note(narrowed ? "no note matches" : "no notes yet")
      const shown = notes.slice(0, options.limit ?? notes.length)
      if (options.format === "json") program.output.json(shown, 2)
      else Lists.print(program, shown.map(NoteRows.toListed))
    })
  )

export const command = declare({ parameters, run: list })

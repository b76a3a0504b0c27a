/** `memory`: prints its help and a summary of the notes; parent of the commands on notes. */
import { Note } from "@bough/protocol"
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { command as declare, lazyEntry } from "../command-line/CommandSpec.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import { formatNoteCount, readNotes, allKinds, withNotes } from "../notes/WithNotes.ts"
import type { Program } from "../Program.ts"

const formatSummary = (notes: ReadonlyArray<Note.Note>, project: string, nowMillis: number): string => {
  const count = (passes: (note: Note.Note) => boolean, words: string): ReadonlyArray<string> => {
    const { length } = notes.filter(passes)
    return length === 0 ? [] : [`${length} ${words}`]
  }
  const facts = [
    ...count((note) => note.project === project, "of this project"),
    ...count((note) => note.project !== null && note.project !== project, "of other projects"),
    ...count(({ kind }) => kind === "preference", "in every prompt as preferences"),
    ...count((note) => Note.isEnded(note, nowMillis), "ended")
  ]
  return `${formatNoteCount(notes.length)}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`
}

const summary = (program: Program, common: Common) =>
  withNotes(program, common, ({ allProjects, place, store }) =>
    Effect.gen(function* () {
      const notes = yield* readNotes(store, allProjects, allKinds)
      if (notes.length === 0) return program.output.note("no notes yet")
      const line = formatSummary(notes, place.project, yield* Clock.currentTimeMillis)
      program.output.answerEscaped(text`\n${Escape.line(`${line}; "${program.name} memory list" shows them`)}\n`)
    })
  )

export const command = declare({
  parameters: {},
  run: summary,
  showsHelpFirst: true,
  subcommands: [
    lazyEntry("search", "Find notes by words and by meaning, best match first", () => import("./memory/Search.ts")),
    lazyEntry(
      "list",
      "List your notes and those of this project, last changed first",
      () => import("./memory/List.ts")
    ),
    lazyEntry("show", "Show one note with all of its fields", () => import("./memory/Show.ts")),
    lazyEntry("save", "Save a note, and print its id", () => import("./memory/Save.ts")),
    lazyEntry("edit", "Open a note in your editor, and save the changes", () => import("./memory/Edit.ts")),
    lazyEntry("rm", "Delete a note and its history permanently", () => import("./memory/Remove.ts")),
    lazyEntry("export", "Write each note to a separate Markdown file", () => import("./memory/Export.ts")),
    lazyEntry(
      "import",
      "Add notes from exported files; a note with a known id is updated",
      () => import("./memory/Import.ts")
    ),
    lazyEntry("reindex", "Rebuild the indexes of notes and of conversations", () => import("./memory/Reindex.ts")),
    lazyEntry(
      "stats",
      "Show the number of notes by kind, and the state of their index",
      () => import("./memory/Stats.ts")
    ),
    lazyEntry(
      "index",
      "Show whether the index library for a large memory is installed",
      () => import("./memory/Index.ts")
    ),
    lazyEntry("model", "Show the embedding model that compares notes", () => import("./memory/Model.ts"))
  ]
})

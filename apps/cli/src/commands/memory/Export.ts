/** `memory export`: writes each note to its own Markdown file. */
import { Directory } from "@bough/disk"
import * as ExportMark from "@bough/host/memory/ExportMark"
import * as MemoryId from "@bough/host/memory/MemoryId"
import * as NoteText from "@bough/host/memory/NoteText"
import type { Note } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as NoteFlags from "../../command-line/flags/NoteFlags.ts"
import * as NoteFolder from "../../notes/NoteFolder.ts"
import { formatNoteCount, readNotes, allKinds, withNotes } from "../../notes/WithNotes.ts"
import type { Program } from "../../Program.ts"

const parameters = { folder: NoteFlags.folder }

interface ExportResult {
  /** The number of files whose notes were deleted. */
  readonly removed: number
  /** The names of files of notes that are not in this memory; these files stay. */
  readonly left: ReadonlyArray<string>
}

/** Leaves a file unchanged if it has the same content, whichever memory wrote it. */
const write = (path: string, plain: string, origin: ExportMark.ExportOrigin): void => {
  const before = existsSync(path) ? readFileSync(path, "utf8") : null
  if (before !== null && ExportMark.hasMark(before) && ExportMark.withoutMark(before) === plain) return
  writeFileSync(path, ExportMark.add(plain, origin))
}

/** Returns the files of notes that were deleted since, or never imported here. */
const withoutNotes = (path: string, written: ReadonlySet<string>) =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md") && !written.has(entry.name))
    .map(({ name }) => ({ name, content: readFileSync(join(path, name), "utf8") }))
    .filter(({ content, name }) => {
      const note = NoteText.parse(content)
      return typeof note !== "string" && note.noteId !== null && NoteText.fileName(note.noteId) === name
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))

interface NoteWithHistory {
  readonly note: Note.Note
  readonly history: ReadonlyArray<Note.PastVersion>
}

/** Removes the file of a deleted note if this memory wrote it and it is unchanged since. */
const exportTo = (
  path: string,
  notes: ReadonlyArray<NoteWithHistory>,
  origin: ExportMark.ExportOrigin
): ExportResult => {
  Directory.make(path)
  for (const { history, note } of notes) {
    write(join(path, NoteText.fileName(note.noteId)), NoteText.print(note, history), origin)
  }
  const otherFiles = withoutNotes(path, new Set(notes.map(({ note }) => NoteText.fileName(note.noteId))))
  const ownExports = otherFiles.filter(({ content }) => ExportMark.matches(content, origin))
  for (const { name } of ownExports) rmSync(join(path, name))
  return {
    removed: ownExports.length,
    left: otherFiles.filter((file) => !ownExports.includes(file)).map(({ name }) => name)
  }
}

const exportAll = (program: Program, common: Common, { folder }: CommandOptions<typeof parameters>) =>
  withNotes(program, common, ({ allProjects, settings, store }) =>
    Effect.gen(function* () {
      const every = yield* readNotes(store, allProjects, allKinds)
      const notes = yield* Effect.forEach(every, (note) =>
        Effect.map(store.history(allProjects, note.noteId), (versions) => ({
          note,
          // The versions of another note are in that note's own file.
          history: versions.filter(({ noteId }) => noteId === note.noteId)
        }))
      )
      const memory = yield* NoteFolder.inFolder(settings.dataDirectory, MemoryId.memoryId, "make it writable")
      const { left, removed } = yield* NoteFolder.inFolder(NoteFolder.pathOf(program, folder), (path) =>
        exportTo(path, notes, { memory, user: allProjects.user })
      )
      const also = removed === 0 ? "" : `, and removed ${removed} of deleted notes`
      program.output.note(`wrote ${formatNoteCount(notes.length)} to ${folder}${also}`)
      if (left.length > 0) {
        program.output.note(
          `kept files of notes that are not in this memory: ${left.join(", ")}; "${program.name} memory import ${folder}" adds them`
        )
      }
    })
  )

export const command = declare({ parameters, run: exportAll })

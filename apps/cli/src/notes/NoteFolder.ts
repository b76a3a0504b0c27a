/** `memory export` and `memory import`: notes as a folder of Markdown files, one a note. */
import { Directory, SystemError } from "@bough/disk"
import { Canonical, Note } from "@bough/protocol"
import type { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import * as ExportMark from "@bough/host/memory/ExportMark"
import * as MemoryId from "@bough/host/memory/MemoryId"
import * as NoteText from "@bough/host/memory/NoteText"
import type { Program } from "../Program.ts"
import { failed, type CliFailure, usage } from "../CliFailure.ts"
import * as KeptSecrets from "./KeptSecrets.ts"
import type { Common } from "../command-line/Options.ts"
import { counted, everyNote, everything, withNotes } from "./WithNotes.ts"

const inFolder = <A>(
  folder: string,
  body: (path: string) => A,
  hint = "name another folder"
): Effect.Effect<A, CliFailure> =>
  Effect.try({
    try: () => body(resolve(folder)),
    catch: (cause) => failed(`cannot use ${folder}: ${SystemError.reason(cause)}`, hint, cause)
  })

/** Where a relative folder is meant to be: `pnpm` starts programs elsewhere. */
const folderOf = ({ environment }: Program, folder: string): string =>
  resolve(environment.variables["INIT_CWD"] ?? environment.currentDirectory, folder)

interface Exported {
  /** Of notes that are no more. */
  readonly removed: number
  /** Files as an export names them, of notes that are not here, which are not to be removed. */
  readonly left: ReadonlyArray<string>
}

/** A file that says the same already stays as it is, whichever memory has written it. */
const write = (path: string, plain: string, origin: ExportMark.ExportOrigin): void => {
  const before = existsSync(path) ? readFileSync(path, "utf8") : null
  if (before !== null && ExportMark.has(before) && ExportMark.without(before) === plain) return
  writeFileSync(path, ExportMark.add(plain, origin))
}

/** Files of notes that are not among these: removed since, or never taken in here. */
const withoutNotes = (path: string, written: ReadonlySet<string>) =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md") && !written.has(entry.name))
    .map(({ name }) => ({ name, content: readFileSync(join(path, name), "utf8") }))
    .filter(({ content, name }) => {
      const note = NoteText.parse(content)
      return typeof note !== "string" && note.noteId !== null && NoteText.fileName(note.noteId) === name
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))

interface Kept {
  readonly note: Note.Note
  readonly history: ReadonlyArray<Note.PastVersion>
}

/** What this memory has written, and nobody has changed since, goes when its note has gone. */
const exportTo = (path: string, notes: ReadonlyArray<Kept>, origin: ExportMark.ExportOrigin): Exported => {
  Directory.make(path)
  for (const { history, note } of notes) {
    write(join(path, NoteText.fileName(note.noteId)), NoteText.print(note, history), origin)
  }
  const others = withoutNotes(path, new Set(notes.map(({ note }) => NoteText.fileName(note.noteId))))
  const own = others.filter(({ content }) => ExportMark.matches(content, origin))
  for (const { name } of own) rmSync(join(path, name))
  return { removed: own.length, left: others.filter((file) => !own.includes(file)).map(({ name }) => name) }
}

export const exportAll = (program: Program, common: Common, { folder }: { readonly folder: string }) =>
  withNotes(program, common, ({ everywhere, settings, store }) =>
    Effect.gen(function* () {
      const every = yield* everyNote(store, everywhere, everything)
      const notes = yield* Effect.forEach(every, (note) =>
        Effect.map(store.history(everywhere, note.noteId), (versions) => ({
          note,
          // What another note took over is in that one's file.
          history: versions.filter(({ noteId }) => noteId === note.noteId)
        }))
      )
      const memory = yield* inFolder(settings.dataDirectory, MemoryId.memoryId, "make it writable")
      const { left, removed } = yield* inFolder(folderOf(program, folder), (path) =>
        exportTo(path, notes, { memory, user: everywhere.user })
      )
      const also = removed === 0 ? "" : `, and removed ${removed} whose note is no more`
      program.output.note(`wrote ${counted(notes.length)} to ${folder}${also}`)
      if (left.length > 0) {
        program.output.note(`left what is of no note here, and what an import would take in: ${left.join(", ")}`)
      }
    })
  )

interface NoteFile {
  readonly name: string
  readonly written: NoteText.NoteFile
}

/** All or none: a file that is no note is named before anything is stored. */
const readAll = (program: Program, folder: string): Effect.Effect<ReadonlyArray<NoteFile>, CliFailure> =>
  Effect.gen(function* () {
    const files = yield* inFolder(folderOf(program, folder), (path) =>
      readdirSync(path)
        .filter((name) => name.endsWith(".md") && statSync(join(path, name)).isFile())
        .toSorted()
        .map((name) => ({ name, written: NoteText.parse(readFileSync(join(path, name), "utf8")) }))
    )
    const notes: Array<NoteFile> = []
    for (const { name, written } of files) {
      if (typeof written === "string") return yield* usage(`${name} is no note: ${written}`, "mend or remove that file")
      notes.push({ name, written })
    }
    return notes
  })

/** A change that was made elsewhere keeps its time; one that was made in the file has none, and is of now. */
const later = ({ updatedAtMillis }: NoteText.NoteFile, before: Note.Note): number | null =>
  updatedAtMillis !== null && updatedAtMillis > before.updatedAtMillis ? updatedAtMillis : null

const isSame = (before: Note.Note, written: NoteText.NoteFile): boolean =>
  before.text === written.text &&
  before.kind === written.kind &&
  before.tags.join("\n") === written.tags.join("\n") &&
  before.project === written.project &&
  before.validUntilMillis === written.validUntilMillis

interface Notes {
  readonly everywhere: NoteStore.NoteScope
  readonly store: NoteStore.NoteStore["Service"]
}

/** What became of a file's note; its history is added where the note is there. */
const importOne = Effect.fnUntraced(function* ({ everywhere, store }: Notes, written: NoteText.NoteFile) {
  const noteId = Note.NoteId.make(written.noteId ?? `note-${Canonical.digest(written.text).slice(7, 39)}`)
  const became = yield* importNote({ everywhere, store }, noteId, written)
  if (written.history.length > 0) yield* store.addHistory(everywhere, noteId, written.history)
  return became
})

const importNote = Effect.fnUntraced(function* (
  { everywhere, store }: Notes,
  noteId: Note.NoteId,
  written: NoteText.NoteFile
) {
  const { createdAtMillis, kind, project, tags, text, untrusted, updatedAtMillis, validUntilMillis } = written
  const before = yield* store.get(everywhere, noteId)
  if (before === null) {
    const source = written.source ?? "import"
    const { status } = yield* store.save(everywhere, {
      noteId,
      kind,
      text,
      tags,
      source,
      untrusted,
      createdAtMillis,
      updatedAtMillis,
      project,
      validUntilMillis
    })
    return status === "Saved" ? "added" : "known"
  }
  if (isSame(before, written)) return "known"
  yield* store.update(everywhere, noteId, {
    text,
    kind,
    tags,
    untrusted,
    updatedAtMillis: later(written, before),
    project,
    validUntilMillis,
    by: "import"
  })
  return "changed"
})

export const importAll = (program: Program, common: Common, { folder }: { readonly folder: string }) =>
  withNotes(program, common, (notes) =>
    Effect.gen(function* () {
      const count = { added: 0, changed: 0, known: 0 }
      for (const { name, written } of yield* readAll(program, folder)) {
        const became = yield* importOne(notes, { ...written, tags: Note.normaliseTags(written.tags) })
        count[became] += 1
        if (became !== "known") KeptSecrets.say(program, name, written.text)
      }
      program.output.note(`${counted(count.added)} added, ${count.changed} changed, ${count.known} known already`)
    })
  )

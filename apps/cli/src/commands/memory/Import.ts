/** `memory import`: adds notes from Markdown files, and changes those whose id is known. */
import * as NoteText from "@bough/host/memory/NoteText"
import { Canonical, Note } from "@bough/protocol"
import type { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { type CliFailure, usage } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as NoteFlags from "../../command-line/flags/NoteFlags.ts"
import * as KeptSecrets from "../../notes/KeptSecrets.ts"
import * as NoteFolder from "../../notes/NoteFolder.ts"
import { formatNoteCount, withNotes } from "../../notes/WithNotes.ts"
import type { Program } from "../../Program.ts"

const parameters = { folder: NoteFlags.folder }

interface NoteFile {
  readonly name: string
  readonly written: NoteText.NoteFile
}

/** Reads every file before anything is stored: one invalid file fails the import. */
const readAll = (program: Program, folder: string): Effect.Effect<ReadonlyArray<NoteFile>, CliFailure> =>
  Effect.gen(function* () {
    const files = yield* NoteFolder.inFolder(NoteFolder.pathOf(program, folder), (path) =>
      readdirSync(path)
        .filter((name) => name.endsWith(".md") && statSync(join(path, name)).isFile())
        .toSorted()
        .map((name) => ({ name, written: NoteText.parse(readFileSync(join(path, name), "utf8")) }))
    )
    const notes: Array<NoteFile> = []
    for (const { name, written } of files) {
      if (typeof written === "string")
        return yield* usage(`${name} is not a valid note: ${written}`, "fix or remove the file; no note was imported")
      notes.push({ name, written })
    }
    return notes
  })

/** Returns the time of a change that was made elsewhere; null: the file was edited, which counts as a change now. */
const later = ({ updatedAtMillis }: NoteText.NoteFile, before: Note.Note): number | null =>
  updatedAtMillis !== null && updatedAtMillis > before.updatedAtMillis ? updatedAtMillis : null

const isSame = (before: Note.Note, written: NoteText.NoteFile): boolean =>
  before.text === written.text &&
  before.kind === written.kind &&
  before.tags.join("\n") === written.tags.join("\n") &&
  before.project === written.project &&
  before.validUntilMillis === written.validUntilMillis

interface Notes {
  readonly allProjects: NoteStore.NoteScope
  readonly store: NoteStore.NoteStore["Service"]
}

/** Imports one note with its history, and returns what changed. */
const importOne = Effect.fnUntraced(function* ({ allProjects, store }: Notes, written: NoteText.NoteFile) {
  const noteId = Note.NoteId.make(written.noteId ?? `note-${Canonical.digest(written.text).slice(7, 39)}`)
  const became = yield* importNote({ allProjects, store }, noteId, written)
  if (written.history.length > 0) yield* store.addHistory(allProjects, noteId, written.history)
  return became
})

const importNote = Effect.fnUntraced(function* (
  { allProjects, store }: Notes,
  noteId: Note.NoteId,
  written: NoteText.NoteFile
) {
  const { createdAtMillis, kind, project, tags, text, untrusted, updatedAtMillis, validUntilMillis } = written
  const before = yield* store.get(allProjects, noteId)
  if (before === null) {
    const source = written.source ?? "import"
    const { status } = yield* store.save(allProjects, {
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
  yield* store.update(allProjects, noteId, {
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

const importAll = (program: Program, common: Common, { folder }: CommandOptions<typeof parameters>) =>
  withNotes(program, common, (notes) =>
    Effect.gen(function* () {
      const count = { added: 0, changed: 0, known: 0 }
      for (const { name, written } of yield* readAll(program, folder)) {
        const became = yield* importOne(notes, { ...written, tags: Note.normaliseTags(written.tags) })
        count[became] += 1
        if (became !== "known") KeptSecrets.say(program, name, written.text)
      }
      program.output.note(`${formatNoteCount(count.added)} added, ${count.changed} changed, ${count.known} unchanged`)
    })
  )

export const command = declare({ parameters, run: importAll })

/** `memory edit`: opens the Markdown of a note in the user's editor, and saves it once it is a valid note. */
import { Directory, SystemError } from "@bough/disk"
import * as SmallFile from "@bough/disk/SmallFile"
import * as Home from "@bough/host/config/Home"
import * as NoteText from "@bough/host/memory/NoteText"
import { Note } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { failure, type CliFailure, usage } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as NoteFlags from "../../command-line/flags/NoteFlags.ts"
import * as Editor from "../../io/Editor.ts"
import * as KeptSecrets from "../../notes/KeptSecrets.ts"
import * as NoteById from "../../notes/NoteById.ts"
import { withNotes } from "../../notes/WithNotes.ts"
import type { Program } from "../../Program.ts"

/** Compares the fields that the editor shows; the store owns the others. */
const isSame = (before: Note.Note, written: NoteText.NoteFile): boolean =>
  before.text === written.text &&
  before.kind === written.kind &&
  before.tags.join("\n") === Note.normaliseTags(written.tags).join("\n") &&
  before.project === written.project &&
  before.validUntilMillis === written.validUntilMillis

const parameters = { id: NoteFlags.noteId }

const edit = (program: Program, common: Common, { id }: CommandOptions<typeof parameters>) =>
  withNotes(program, common, (notes) =>
    Effect.gen(function* () {
      const { allProjects, settings, store } = notes
      const { output, environment } = program
      const before = yield* NoteById.get(notes, id)
      const { noteId } = before
      const editor = yield* Editor.find(
        program,
        settings.workspace.root,
        `use "${program.name} memory export" and "${program.name} memory import"`
      )
      const printed = NoteText.print(before)
      const draft = join(settings.dataDirectory, "memory", "drafts", NoteText.fileName(noteId))
      const draftName = Home.displayPath(draft, environment.home)
      yield* attempt(`write ${draftName}`, () => {
        if (SmallFile.read(draft) !== null) return output.note(`resuming the unsaved draft ${draftName}`)
        Directory.make(dirname(draft))
        SmallFile.replace(draft, printed)
      })
      yield* Editor.open(program, editor, draft)
      const edited = yield* attempt(`read ${draftName}`, () => SmallFile.read(draft))
      if (edited === null) return yield* failure(`the editor removed ${draftName}`, "the note is unchanged")
      const written = NoteText.parse(edited, "strict")
      const resumeHint = `the note is unchanged; "${program.name} memory edit ${noteId}" resumes from ${draftName}`
      if (typeof written === "string") return yield* usage(`${draftName} is invalid: ${written}`, resumeHint)
      if (written.noteId !== noteId)
        return yield* usage(`line 2 of ${draftName} has the id of another note`, resumeHint)
      const isChanged = !isSame(before, written)
      if (isChanged) {
        const { kind, project, text, validUntilMillis } = written
        const changed = yield* store.update(allProjects, noteId, {
          text,
          kind,
          tags: Note.normaliseTags(written.tags),
          untrusted: false,
          project,
          validUntilMillis,
          by: "command line"
        })
        if (changed === null) return yield* failure(`note ${noteId} was removed meanwhile`, resumeHint)
        KeptSecrets.say(program, "the note", text)
      }
      yield* attempt(`remove ${draftName}`, () => rmSync(draft, { force: true }))
      output.note(isChanged ? `note ${noteId} is changed` : `note ${noteId} is unchanged`)
    })
  )

const attempt = <A>(purpose: string, work: () => A): Effect.Effect<A, CliFailure> =>
  Effect.try({
    try: work,
    catch: (cause) => failure(`cannot ${purpose}: ${SystemError.reason(cause)}`, "the note is unchanged", cause)
  })

export const command = declare({ parameters, run: edit })

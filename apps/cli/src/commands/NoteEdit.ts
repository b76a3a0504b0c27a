/** `memory edit`: the person's editor on the Markdown of a note, which is changed once the file is a note. */
import { Directory, SystemError } from "@bough/disk"
import { Note } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { rmSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Home from "@bough/host/config/Home"
import * as NoteText from "@bough/host/memory/NoteText"
import type { Program } from "../Program.ts"
import * as SmallFile from "@bough/disk/SmallFile"
import { failed, type CliFailure, usage } from "../CliFailure.ts"
import * as Editor from "../io/Editor.ts"
import * as KeptSecrets from "../notes/KeptSecrets.ts"
import * as NoteById from "../notes/NoteById.ts"
import type { Common } from "../command-line/Options.ts"
import { withNotes } from "../notes/WithNotes.ts"

/** What the editor shows can be changed; the rest of a note is the store's to say. */
const isSame = (before: Note.Note, written: NoteText.NoteFile): boolean =>
  before.text === written.text &&
  before.kind === written.kind &&
  before.tags.join("\n") === Note.normaliseTags(written.tags).join("\n") &&
  before.project === written.project &&
  before.validUntilMillis === written.validUntilMillis

export const edit = (program: Program, common: Common, { id }: { readonly id: string }) =>
  withNotes(program, common, (where) =>
    Effect.gen(function* () {
      const { everywhere, settings, store } = where
      const { output, environment } = program
      const before = yield* NoteById.get(where, id)
      const { noteId } = before
      const editor = yield* Editor.find(program, "use memory export and import")
      const printed = NoteText.print(before)
      const draft = join(settings.dataDirectory, "memory", "drafts", NoteText.fileName(noteId))
      const draftName = Home.displayPath(draft, environment.home)
      yield* attempt(`write ${draftName}`, () => {
        if (SmallFile.read(draft) !== null) return output.note(`going on with what was not saved: ${draftName}`)
        Directory.make(dirname(draft))
        SmallFile.replace(draft, printed)
      })
      yield* Editor.open(program, editor, draft)
      const left = yield* attempt(`read ${draftName}`, () => SmallFile.read(draft))
      if (left === null) return yield* failed(`the editor left no ${draftName}`, "nothing is saved")
      const written = NoteText.parse(left, "strict")
      const again = `nothing is saved; ${program.name} memory edit ${noteId} goes on from ${draftName}`
      if (typeof written === "string") return yield* usage(`${draftName} is no note: ${written}`, again)
      if (written.noteId !== noteId) return yield* usage(`line 2 of ${draftName} names another note`, again)
      const isChanged = !isSame(before, written)
      if (isChanged) {
        const { kind, project, text, validUntilMillis } = written
        const changed = yield* store.update(everywhere, noteId, {
          text,
          kind,
          tags: Note.normaliseTags(written.tags),
          untrusted: false,
          project,
          validUntilMillis,
          by: "command line"
        })
        if (changed === null) return yield* failed(`${noteId} was removed meanwhile`, again)
        KeptSecrets.say(program, "the note", text)
      }
      yield* attempt(`remove ${draftName}`, () => rmSync(draft, { force: true }))
      output.note(isChanged ? `${noteId} is changed` : `${noteId} is as it was`)
    })
  )

const attempt = <A>(what: string, work: () => A): Effect.Effect<A, CliFailure> =>
  Effect.try({
    try: work,
    catch: (cause) => failed(`cannot ${what}: ${SystemError.reason(cause)}`, "nothing is saved", cause)
  })

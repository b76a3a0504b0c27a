/** `memory save`: one note that a person says, and the notes that may be out of date because of it. */
import * as Deduplicate from "@bough/memory/Deduplicate"
import { Note } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Escape from "@bough/tui/text/Escape"
import * as NoteText from "@bough/host/memory/NoteText"
import type { Program } from "../Program.ts"
import { text } from "@bough/tui/text/SafeText"
import { usage } from "../CliFailure.ts"
import * as KeptSecrets from "../notes/KeptSecrets.ts"
import * as NoteById from "../notes/NoteById.ts"
import type { Common, NoteSaveOptions } from "../command-line/Options.ts"
import * as ReadInput from "../io/ReadInput.ts"
import { withNotes } from "../notes/WithNotes.ts"

const untilOf = (until: string | null) => {
  const millis = until === null ? null : Note.momentOf(until)
  return until !== null && millis === null
    ? usage(`--until cannot be ${JSON.stringify(until)}`, "it takes a date such as 2026-09-01")
    : Effect.succeed(millis)
}

export const save = (program: Program, common: Common, options: NoteSaveOptions) =>
  withNotes(program, common, (where) =>
    Effect.gen(function* () {
      const { place, store } = where
      const given = options.text === "-" ? yield* ReadInput.all(program.stdin(), "the note") : options.text
      const written = NoteText.parse(given)
      if (typeof written === "string") return yield* usage(`this is no note: ${written}`, "give its text")
      const validUntilMillis = yield* untilOf(options.until)
      const old = yield* Effect.forEach(options.supersedes, (id) => NoteById.get(where, id))
      const supersedes = old.map(({ noteId }) => noteId)
      const project = options.project ? place.project : null
      const { near } = yield* Deduplicate.make(store).part({ ...place, project }, given, new Set(supersedes))
      const { note, status } = yield* store.save(where.everywhere, {
        noteId: Note.NoteId.make(`note-${crypto.randomUUID()}`),
        kind: options.kind,
        text: given.trim(),
        tags: Note.normaliseTags(options.tags),
        source: "command line",
        // A person says so.
        untrusted: false,
        createdAtMillis: null,
        validUntilMillis,
        project,
        supersedes
      })
      if (status === "Kept") program.output.note("known already")
      else KeptSecrets.say(program, "the note", note.text)
      for (const other of status === "Kept" ? [] : near) {
        const hint = `bough memory edit or rm ${other.noteId} if it is no longer so`
        program.output.note(`near: ${other.noteId} ${JSON.stringify(shortened(other.text))}; ${hint}`)
      }
      program.output.answerEscaped(text`${Escape.line(note.noteId)}\n`)
    })
  )

const shortened = (whole: string): string => {
  const line = whole.replaceAll(/\s+/gu, " ")
  return line.length > 120 ? `${line.slice(0, 120)}…` : line
}

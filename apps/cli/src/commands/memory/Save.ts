/** `memory save`: saves one note, and names the notes that it may make out of date. */
import * as NoteText from "@bough/host/memory/NoteText"
import * as Deduplicate from "@bough/memory/Deduplicate"
import { Note } from "@bough/protocol"
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { usage } from "../../CliFailure.ts"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as Shapes from "../../command-line/flags/Shapes.ts"
import * as ReadInput from "../../io/ReadInput.ts"
import * as KeptSecrets from "../../notes/KeptSecrets.ts"
import * as NoteById from "../../notes/NoteById.ts"
import { withNotes } from "../../notes/WithNotes.ts"
import type { Program } from "../../Program.ts"

const untilOf = (until: string | null) => {
  const millis = until === null ? null : Note.momentOf(until)
  return until !== null && millis === null
    ? usage(`--until cannot be ${JSON.stringify(until)}`, "give a date such as 2026-09-01")
    : Effect.succeed(millis)
}

const parameters = {
  text: Shapes.argument("TEXT", "Text of the note; - reads it from stdin"),
  tags: Shapes.repeatedText("tag", "TAG", "Add this tag to the note; repeatable"),
  kind: Flag.Literals("kind", Note.Kind.literals).pipe(
    Flag.withDescription("Kind of the note"),
    Flag.withDefault("fact" as const)
  ),
  project: Shapes.toggle("project", "Show the note only in this project"),
  supersedes: Shapes.repeatedText("supersedes", "ID", "Id or prefix of a note that the new note replaces; repeatable"),
  until: Shapes.optionalText("until", "DATE", "Last day on which the note is valid, such as 2026-09-01")
}

const save = (program: Program, common: Common, options: CommandOptions<typeof parameters>) =>
  withNotes(program, common, (notes) =>
    Effect.gen(function* () {
      const { place, store } = notes
      const noteText = options.text === "-" ? yield* ReadInput.all(program.stdin(), "the note") : options.text
      const written = NoteText.parse(noteText)
      if (typeof written === "string") return yield* usage(`the note is invalid: ${written}`, "give its text")
      const validUntilMillis = yield* untilOf(options.until)
      const old = yield* Effect.forEach(options.supersedes, (id) => NoteById.get(notes, id))
      const supersedes = old.map(({ noteId }) => noteId)
      const project = options.project ? place.project : null
      const { near } = yield* Deduplicate.make(store).part({ ...place, project }, noteText, new Set(supersedes))
      const { note, status } = yield* store.save(notes.allProjects, {
        noteId: Note.NoteId.make(`note-${crypto.randomUUID()}`),
        kind: options.kind,
        text: noteText.trim(),
        tags: Note.normaliseTags(options.tags),
        source: "command line",
        // The user wrote the note.
        untrusted: false,
        createdAtMillis: null,
        validUntilMillis,
        project,
        supersedes
      })
      if (status === "Kept") program.output.note(`note ${note.noteId} already contains this`)
      else KeptSecrets.say(program, "the note", note.text)
      for (const similar of status === "Kept" ? [] : near) {
        const hint = `if it is out of date, run "${program.name} memory edit ${similar.noteId}" or "${program.name} memory rm ${similar.noteId}"`
        program.output.note(`similar note: ${similar.noteId} ${JSON.stringify(shorten(similar.text))}; ${hint}`)
      }
      program.output.answerEscaped(text`${Escape.line(note.noteId)}\n`)
    })
  )

const shorten = (note: string): string => {
  const line = note.replaceAll(/\s+/gu, " ")
  return line.length > 120 ? `${line.slice(0, 120)}…` : line
}

export const command = declare({ parameters, run: save })

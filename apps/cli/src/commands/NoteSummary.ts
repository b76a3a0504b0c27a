/** `memory` alone: below its help, how much is remembered and of what. */
import { Note } from "@bough/protocol"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Escape from "@bough/tui/text/Escape"
import type { Program } from "../Program.ts"
import { text } from "@bough/tui/text/SafeText"
import type { Common } from "../command-line/Options.ts"
import { counted, everyNote, everything, withNotes } from "../notes/WithNotes.ts"

/** In one line. */
export const formatSummary = (notes: ReadonlyArray<Note.Note>, project: string, nowMillis: number): string => {
  const of = (passes: (note: Note.Note) => boolean, words: string): ReadonlyArray<string> => {
    const count = notes.filter(passes).length
    return count === 0 ? [] : [`${count} ${words}`]
  }
  const facts = [
    ...of((note) => note.project === project, "of this project"),
    ...of((note) => note.project !== null && note.project !== project, "of other projects"),
    ...of(({ kind }) => kind === "preference", "in every prompt as preferences"),
    ...of((note) => Note.isEnded(note, nowMillis), "ended")
  ]
  return `${counted(notes.length)}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`
}

export const summary = (program: Program, common: Common) =>
  withNotes(program, common, ({ everywhere, place, store }) =>
    Effect.gen(function* () {
      const notes = yield* everyNote(store, everywhere, everything)
      if (notes.length === 0) return program.output.note("nothing is remembered yet")
      const line = formatSummary(notes, place.project, yield* Clock.currentTimeMillis)
      program.output.answerEscaped(text`\n${Escape.line(`${line}; ${program.name} memory list shows them`)}\n`)
    })
  )

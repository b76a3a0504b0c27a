/** `memory stats`: the number of notes by kind, and the state of their index. */
import * as MemoryLibrary from "@bough/host/memory/MemoryLibrary"
import type { IndexReport } from "@bough/memory"
import { Note } from "@bough/protocol"
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { command as declare, type CommandOptions } from "../../command-line/CommandSpec.ts"
import type { Common } from "../../command-line/flags/CommonFlags.ts"
import * as ListFlags from "../../command-line/flags/ListFlags.ts"
import * as IndexText from "../../format/IndexText.ts"
import { formatNoteCount, readNotes, allKinds, withNotes } from "../../notes/WithNotes.ts"
import type { Program } from "../../Program.ts"

const parameters = { format: ListFlags.format }

/** Shortens digests to a prefix that is long enough to compare two. */
const shortModel = (modelId: string): string => modelId.replace(/sha256:([0-9a-f]{12})[0-9a-f]*/u, "$1")

const indexInWords = (index: IndexReport.IndexReport | null): string =>
  index === null
    ? "semantic index: none yet, the first search builds it"
    : `semantic index: ${formatNoteCount(index.notes)}, ${index.dimension} dimensions, model ${shortModel(index.modelId)}`

const stats = (program: Program, common: Common, { format }: CommandOptions<typeof parameters>) =>
  withNotes(program, common, ({ allProjects, settings, store }) =>
    Effect.gen(function* () {
      const notes = yield* readNotes(store, allProjects, allKinds)
      const memory = yield* MemoryLibrary.open(settings, IndexText.bars(program.output.note))
      const reported = yield* Effect.result(memory.index.report)
      const index = Result.isSuccess(reported) ? reported.success : null
      const kinds = Object.fromEntries(
        Note.Kind.literals.map((kind) => [kind, notes.filter((note) => note.kind === kind).length] as const)
      )
      const characters = notes.reduce((sum, { text }) => sum + text.length, 0)
      const found = { notes: notes.length, characters, kinds, embeddingModel: settings.memory.embeddingModel, index }
      if (format === "json") return program.output.json(found, 2)
      const named = Object.entries(kinds).flatMap(([kind, count]) => (count === 0 ? [] : [`${count} ${kind}`]))
      const noteCounts = `${formatNoteCount(found.notes)}${named.length === 0 ? "" : ` (${named.join(", ")})`}`
      const facts = `${noteCounts}, ${characters} characters, embedding model ${found.embeddingModel}`
      program.output.answerEscaped(text`${Escape.line(facts)}\n`)
      if (settings.memory.embeddingModel === "none") return
      const indexLine = Result.isSuccess(reported)
        ? indexInWords(index)
        : `semantic index: unreadable (${reported.failure.message.split("\n")[0]}), the next search rebuilds it`
      program.output.answerEscaped(text`${Escape.line(indexLine)}\n`)
    })
  )

export const command = declare({ parameters, run: stats })

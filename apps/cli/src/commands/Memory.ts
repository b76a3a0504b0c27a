/** `memory`: what is remembered about the person who asks. Loaded when it is called. */
import type { IndexReport, NoteIndex } from "@bough/memory"
import { Note } from "@bough/protocol"
import type { MemoryRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Escape from "@bough/tui/text/Escape"
import { text } from "@bough/tui/text/SafeText"
import * as MemoryLibrary from "@bough/host/memory/MemoryLibrary"
import * as SaidText from "../format/SaidText.ts"
import type { Program } from "../Program.ts"
import { failed, type CliFailure, usage } from "../CliFailure.ts"
import * as IndexText from "../format/IndexText.ts"
import type * as Listing from "../format/Listing.ts"
import * as Lists from "../io/Lists.ts"
import * as ModelAdvice from "../notes/ModelAdvice.ts"
import * as NoteById from "../notes/NoteById.ts"
import type {
  Common,
  ListFormat,
  MemoryOptions,
  MemorySearchOptions,
  MemoryListOptions,
  NoteRemoveOptions
} from "../command-line/Options.ts"
import { counted, everyNote, everything, withNotes } from "../notes/WithNotes.ts"

const untilOf = (note: Note.Note): ReadonlyArray<string> => {
  if (note.validUntilMillis === null) return []
  return [`${Note.isEnded(note, Date.now()) ? "ended" : "until"} ${Note.formatMoment(note.validUntilMillis)}`]
}

const listed = (note: Note.Note): Listing.Listed => {
  const tags = note.tags.length === 0 ? [] : [note.tags.map((tag) => `#${tag}`).join(" ")]
  const project = note.project === null ? [] : [`of ${note.project}`]
  const more = [...tags, ...untilOf(note), ...project]
  const text = note.text.replaceAll(/\s+/gu, " ")
  const title = text.length > 200 ? `${text.slice(0, 200)}…` : text
  return {
    line: [note.noteId, note.kind, ...more, title].join("  "),
    title,
    facts: [note.kind, ...more, note.noteId]
  }
}

const show = (program: Program, found: ReadonlyArray<Note.Note>, format: ListFormat): void =>
  format === "json" ? program.output.json(found, 2) : Lists.print(program, found.map(listed))

type Recalled = MemoryRead.Recalled

/** As a list shows it, after how sure it is. */
const listedAsFound = ({ confidence, note, score }: Recalled): Listing.Listed => {
  const { facts, line, title } = listed(note)
  const sure = `${confidence} ${score.toFixed(2)}`
  return { line: `${sure}  ${line}`, title, facts: [sure, ...facts] }
}

/** For programs: the note, and how likely it answers. Where none fits, the search has found nothing but hints. */
const asData = ({ confidence, note, score }: Recalled) => ({
  ...note,
  score,
  confidence,
  fits: MemoryLibrary.fits(score)
})

const bar = (program: Program) => IndexText.bars(program.output.note)

/** The best of what is searched for, where nobody says how many. */
const foundByDefault = 10

const checkLimit = ({ limit }: MemoryOptions): Effect.Effect<void, CliFailure> =>
  limit === null || limit >= 1 ? Effect.void : usage(`--limit cannot be ${limit}`, "it takes a whole number from 1 on")

export const search = (program: Program, common: Common, options: MemorySearchOptions) =>
  withNotes(program, common, ({ place, settings, store }) =>
    Effect.gen(function* () {
      if (options.query.trim() === "") return yield* usage("the query is empty", "say what to look for")
      yield* checkLimit(options)
      const memory = yield* MemoryLibrary.open(settings, bar(program))
      const limit = options.limit ?? foundByDefault
      const found = yield* memory.search(place, {
        text: options.query,
        limit,
        tags: Note.normaliseTags(options.tags),
        kinds: options.kinds
      })
      const { notes } = found
      if (notes.length === 0) program.output.note("nothing that is remembered fits")
      else if (!found.fits) program.output.note("nothing that is remembered clearly fits; these are the nearest notes")
      if (found.wordsOnly !== null) program.output.note(`words alone were compared: ${found.wordsOnly}`)
      yield* ModelAdvice.once(program, settings, store)
      if (!options.conversations) {
        if (options.format === "json") return program.output.json(notes.map(asData), 2)
        return Lists.print(program, notes.map(listedAsFound))
      }
      const { workspaceRoot } = settings
      const who = { user: place.user, without: null }
      const { notIndexed, said } = yield* memory.conversations.search(who, {
        text: options.query,
        limit,
        workspaceRoot
      })
      if (notIndexed > 0) program.output.note(`${notIndexed} older entries of conversations are not indexed yet`)
      if (options.format === "json") return program.output.json({ notes: notes.map(asData), said }, 2)
      if (said.length === 0) program.output.note("nothing that was said fits")
      Lists.print(program, [...notes.map(listedAsFound), ...said.map(SaidText.listed)])
    })
  )

const newestFirst = (left: Note.Note, right: Note.Note): number => right.updatedAtMillis - left.updatedAtMillis

export const list = (program: Program, common: Common, options: MemoryListOptions) =>
  withNotes(program, common, ({ everywhere, place, store }) =>
    Effect.gen(function* () {
      yield* checkLimit(options)
      const tags = Note.normaliseTags(options.tags)
      const kinds = options.kinds.length === 0 ? everything.kinds : options.kinds
      const seen = yield* everyNote(store, options.all ? everywhere : place, { tags, kinds })
      const notes = seen.filter(({ project }) => !options.project || project === place.project).toSorted(newestFirst)
      const narrowed = tags.length > 0 || options.kinds.length > 0 || options.project
      if (notes.length === 0) program.output.note(narrowed ? "no note fits" : "nothing is remembered yet")
      show(program, notes.slice(0, options.limit ?? notes.length), options.format)
    })
  )

export const remove = (program: Program, common: Common, { history, id }: NoteRemoveOptions) =>
  withNotes(program, common, (where) =>
    Effect.gen(function* () {
      const { everywhere, store } = where
      const found = yield* NoteById.find(where, id)
      // Of a note that was removed or superseded its history may be left.
      const isPast = found === null && (yield* NoteById.past(where, id)).length > 0
      const { noteId } = isPast ? { noteId: Note.NoteId.make(id) } : (found ?? (yield* NoteById.get(where, id)))
      // Gone meanwhile is gone.
      yield* store.remove(everywhere, noteId, { history: history ? "Only" : "Erase", by: "command line" })
      program.output.note(`${history || isPast ? `the history of ${noteId}` : noteId} is forgotten`)
    })
  )

const hintOf = ({ _tag }: NoteIndex.IndexFailed): string =>
  _tag === "EmbeddingFailed"
    ? "see embedding.model in the configuration"
    : "make the data directory writable, or free some space"

export const reindex = (program: Program, common: Common) =>
  withNotes(program, common, ({ settings }) =>
    Effect.gen(function* () {
      const memory = yield* MemoryLibrary.open(settings, bar(program))
      yield* memory.index.settle(true).pipe(Effect.mapError((error) => failed(error.message, hintOf(error), error)))
      yield* memory.conversations.index("anew")
      program.output.note(
        settings.embeddingModel === "none" ? "no embedding model is configured" : "the index is up to date"
      )
    })
  )

/** As people compare two: the beginning of a digest is enough. */
const shortModel = (modelId: string): string => modelId.replace(/sha256:([0-9a-f]{12})[0-9a-f]*/u, "$1")

const indexInWords = (index: IndexReport.IndexReport | null): string =>
  index === null
    ? "index of meaning: none yet, the first search builds it"
    : `index of meaning: ${counted(index.notes)} in ${index.dimension} numbers each, by the model ${shortModel(index.modelId)}`

export const stats = (program: Program, common: Common, { format }: { readonly format: ListFormat }) =>
  withNotes(program, common, ({ everywhere, settings, store }) =>
    Effect.gen(function* () {
      const notes = yield* everyNote(store, everywhere, everything)
      const memory = yield* MemoryLibrary.open(settings, bar(program))
      const reported = yield* Effect.result(memory.index.report)
      const index = Result.isSuccess(reported) ? reported.success : null
      const kinds = Object.fromEntries(
        Note.Kind.literals.map((kind) => [kind, notes.filter((note) => note.kind === kind).length] as const)
      )
      const characters = notes.reduce((sum, { text }) => sum + text.length, 0)
      const found = { notes: notes.length, characters, kinds, embeddingModel: settings.embeddingModel, index }
      if (format === "json") return program.output.json(found, 2)
      const named = Object.entries(kinds).flatMap(([kind, count]) => (count === 0 ? [] : [`${count} ${kind}`]))
      const held = `${counted(found.notes)}${named.length === 0 ? "" : ` (${named.join(", ")})`}`
      const facts = `${held}, ${characters} characters, embedding model ${found.embeddingModel}`
      program.output.answerEscaped(text`${Escape.line(facts)}\n`)
      if (settings.embeddingModel === "none") return
      const said = Result.isSuccess(reported)
        ? indexInWords(index)
        : `index of meaning: it cannot be read (${reported.failure.message.split("\n")[0]}), the next search builds it anew`
      program.output.answerEscaped(text`${Escape.line(said)}\n`)
    })
  )

/** `memory`: what is remembered about the person who asks. Loaded when it is called. */
import type { IndexReport, NoteIndex } from "@bough/memory"
import { Note } from "@bough/protocol"
import type { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Escape from "../Escape.ts"
import { text } from "../SafeText.ts"
import * as Load from "../memory/Load.ts"
import * as NoteText from "../memory/NoteText.ts"
import * as SaidText from "../memory/SaidText.ts"
import type { Program } from "../Program.ts"
import { failed, type Stop, usage } from "../Stop.ts"
import * as IndexText from "../terminal/IndexText.ts"
import type * as Listing from "../terminal/Listing.ts"
import * as Beginning from "./Beginning.ts"
import * as Lists from "./Lists.ts"
import * as KeptSecrets from "./KeptSecrets.ts"
import type { Common, ListFormat, MemoryOptions, MemorySearchOptions } from "./Options.ts"
import * as ReadInput from "./ReadInput.ts"
import { counted, everyNote, everything, withNotes } from "./WithNotes.ts"

const listed = (note: Note.Note): Listing.Listed => {
  const tags = note.tags.length === 0 ? [] : [note.tags.map((tag) => `#${tag}`).join(" ")]
  const text = note.text.replaceAll(/\s+/gu, " ")
  const title = text.length > 200 ? `${text.slice(0, 200)}…` : text
  return {
    line: [note.noteId, note.kind, ...tags, title].join("  "),
    title,
    facts: [note.kind, ...tags, note.noteId]
  }
}

const show = (program: Program, found: ReadonlyArray<Note.Note>, format: ListFormat): void =>
  format === "json" ? program.output.json(found, 2) : Lists.print(program, found.map(listed))

const bar = (program: Program) => IndexText.bars(program.output.note)

/** The best of what is searched for, where nobody says how many. */
const foundByDefault = 10

const checkLimit = ({ limit }: MemoryOptions): Effect.Effect<void, Stop> =>
  limit === null || limit >= 1 ? Effect.void : usage(`--limit cannot be ${limit}`, "it takes a whole number from 1 on")

export const search = (program: Program, common: Common, options: MemorySearchOptions) =>
  withNotes(program, common, ({ place, settings }) =>
    Effect.gen(function* () {
      if (options.query.trim() === "") return yield* usage("the query is empty", "say what to look for")
      yield* checkLimit(options)
      const memory = yield* Load.open(settings, bar(program))
      const limit = options.limit ?? foundByDefault
      const found = yield* memory.search(place, {
        text: options.query,
        limit,
        tags: Note.normaliseTags(options.tags),
        kinds: options.kinds
      })
      if (found.notes.length === 0) program.output.note("nothing that is remembered fits")
      if (found.wordsOnly !== null) program.output.note(`words alone were compared: ${found.wordsOnly}`)
      const notes = found.notes.map(({ note }) => note)
      if (!options.conversations) return show(program, notes, options.format)
      const { workspaceRoot } = settings
      const who = { user: place.user, without: null }
      const { notIndexed, said } = yield* memory.conversations.search(who, {
        text: options.query,
        limit,
        workspaceRoot
      })
      if (notIndexed > 0) program.output.note(`${notIndexed} older entries of conversations are not indexed yet`)
      if (options.format === "json") return program.output.json({ notes, said }, 2)
      if (said.length === 0) program.output.note("nothing that was said fits")
      Lists.print(program, [...notes.map(listed), ...said.map(SaidText.listed)])
    })
  )

const newestFirst = (left: Note.Note, right: Note.Note): number => right.updatedAtMillis - left.updatedAtMillis

export const list = (program: Program, common: Common, options: MemoryOptions) =>
  withNotes(program, common, ({ place, store }) =>
    Effect.gen(function* () {
      yield* checkLimit(options)
      const tags = Note.normaliseTags(options.tags)
      const kinds = options.kinds.length === 0 ? everything.kinds : options.kinds
      const notes = (yield* everyNote(store, place, { tags, kinds })).toSorted(newestFirst)
      const narrowed = tags.length > 0 || options.kinds.length > 0
      if (notes.length === 0) program.output.note(narrowed ? "no note fits" : "nothing is remembered yet")
      show(program, notes.slice(0, options.limit ?? notes.length), options.format)
    })
  )

const notes: Beginning.Named<Note.Note> = {
  idOf: ({ noteId }) => noteId,
  plural: "notes",
  lists: "bough memory list names them"
}

/** A note by its whole id or by a beginning that no other one has. */
const byId = Effect.fnUntraced(function* (
  { place, store }: { readonly place: NoteStore.Place; readonly store: NoteStore.NoteStore["Service"] },
  given: string
) {
  const whole = given === "" ? null : yield* store.get(place, Note.NoteId.make(given))
  if (whole !== null) return whole
  const after = yield* store.list(place, { ...everything, after: given, limit: Beginning.mostNamed + 1 })
  const found = yield* Beginning.only(given, after, notes)
  return found ?? (yield* usage(`there is no note ${JSON.stringify(given)}`, notes.lists))
})

export const showOne = (program: Program, common: Common, { id }: { readonly id: string }) =>
  withNotes(program, common, (given) =>
    Effect.map(byId(given, id), (note) => program.output.answerEscaped(Escape.text(NoteText.print(note))))
  )

export const save = (
  program: Program,
  common: Common,
  options: { readonly text: string; readonly tags: ReadonlyArray<string>; readonly kind: Note.Kind }
) =>
  withNotes(program, common, ({ place, store }) =>
    Effect.gen(function* () {
      const given = options.text === "-" ? yield* ReadInput.all(program.stdin(), "the note") : options.text
      const written = NoteText.parse(given)
      if (typeof written === "string") return yield* usage(`this is no note: ${written}`, "give its text")
      const noteId = Note.NoteId.make(`note-${crypto.randomUUID()}`)
      const tags = Note.normaliseTags(options.tags)
      const draft = {
        noteId,
        kind: options.kind,
        text: given.trim(),
        tags,
        source: "command line",
        // A person says so.
        untrusted: false,
        createdAtMillis: null
      }
      const { note, status } = yield* store.save(place, draft)
      if (status === "Kept") program.output.note("known already")
      else KeptSecrets.say(program, "the note", note.text)
      program.output.answerEscaped(text`${Escape.line(note.noteId)}\n`)
    })
  )

export const remove = (program: Program, common: Common, { id }: { readonly id: string }) =>
  withNotes(program, common, (given) =>
    Effect.gen(function* () {
      const { noteId } = yield* byId(given, id)
      // Gone meanwhile is gone.
      yield* given.store.remove(given.place, noteId)
      program.output.note(`${noteId} is forgotten`)
    })
  )

const hintOf = ({ _tag }: NoteIndex.IndexFailed): string =>
  _tag === "EmbeddingFailed"
    ? "see embedding.model in the configuration"
    : "make the data directory writable, or free some space"

export const reindex = (program: Program, common: Common) =>
  withNotes(program, common, ({ settings }) =>
    Effect.gen(function* () {
      const memory = yield* Load.open(settings, bar(program))
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
  withNotes(program, common, ({ place, settings, store }) =>
    Effect.gen(function* () {
      const notes = yield* everyNote(store, place, everything)
      const memory = yield* Load.open(settings, bar(program))
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

/** `memory`: what is remembered about the person who asks. Loaded when it is called. */
import { Canonical, Note } from "@bough/protocol"
import { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import * as SettingsFile from "../config/Settings.ts"
import * as Escape from "../Escape.ts"
import * as Load from "../memory/Load.ts"
import * as NoteText from "../memory/NoteText.ts"
import type { Program } from "../Program.ts"
import { failed, type Stop, usage } from "../Stop.ts"
import { toStop } from "../Failures.ts"
import * as SystemReason from "../SystemReason.ts"
import type { Common, ListFormat, MemoryOptions } from "./Options.ts"
import * as ReadInput from "./ReadInput.ts"

type Opened = Effect.Success<ReturnType<typeof opened>>

const opened = Effect.fnUntraced(function* (program: Program, common: Common) {
  const settings = yield* SettingsFile.load(
    program.surroundings,
    { ...SettingsFile.nothingGiven, cwd: common.cwd },
    null
  )
  const { user } = settings.surroundings
  if (user === null)
    return yield* failed("nobody is known here, and notes are kept per user", "set up a user for this account")
  return { settings, place: { user, hold: null } }
})

/** Runs with the person's notes; no session is opened. */
const withNotes = <A>(
  program: Program,
  common: Common,
  work: (
    given: Opened & { readonly store: NoteStore.NoteStore["Service"] }
  ) => Effect.Effect<A, Stop | NoteStore.NoteStoreFailed, NoteStore.NoteStore | Scope.Scope>
): Effect.Effect<A, Stop> =>
  Effect.flatMap(opened(program, common), (given) =>
    Effect.flatMap(NoteStore.NoteStore, (store) => work({ ...given, store })).pipe(
      Effect.scoped,
      Effect.provide(program.adapters.store(given.settings.dataDirectory)),
      Effect.mapError((error) => {
        if (error._tag === "Stop") return error
        return error._tag === "NoteStoreFailed" ? failed(error.message, error.hint, error) : toStop(error)
      })
    )
  )

const oneLine = (note: Note.Note): string => {
  const tags = note.tags.length === 0 ? "" : `  ${note.tags.map((tag) => `#${tag}`).join(" ")}`
  const text = note.text.replaceAll(/\s+/gu, " ")
  return Escape.line(`${note.noteId}  ${note.kind}${tags}  ${text.length > 200 ? `${text.slice(0, 200)}…` : text}`)
}

const show = (program: Program, notes: ReadonlyArray<Note.Note>, format: ListFormat): void => {
  if (format === "json") return program.output.json(notes, 2)
  for (const note of notes) program.output.answerEscaped(`${oneLine(note)}\n`)
}

const bar = (program: Program) => (done: number, total: number) => {
  const filled = Math.round((20 * done) / Math.max(total, 1))
  program.output.note(`  index ${"█".repeat(filled)}${"░".repeat(20 - filled)} ${done}/${total}`)
}

const checkLimit = ({ limit }: MemoryOptions): Effect.Effect<void, Stop> =>
  limit >= 1 ? Effect.void : usage(`--limit cannot be ${limit}`, "it takes a whole number from 1 on")

export const search = (program: Program, common: Common, options: MemoryOptions & { readonly query: string }) =>
  withNotes(program, common, ({ place, settings }) =>
    Effect.gen(function* () {
      if (options.query.trim() === "") return yield* usage("the query is empty", "say what to look for")
      yield* checkLimit(options)
      const memory = yield* Load.open(settings, bar(program))
      const found = yield* memory.search(place, {
        text: options.query,
        limit: options.limit,
        tags: Note.normaliseTags(options.tags),
        kinds: []
      })
      if (found.notes.length === 0) program.output.note("nothing that is remembered fits")
      if (found.wordsOnly !== null) program.output.note(`words alone were compared: ${found.wordsOnly}`)
      show(
        program,
        found.notes.map(({ note }) => note),
        options.format
      )
    })
  )

const pageLength = 500

const everyNote = (store: NoteStore.NoteStore["Service"], place: NoteStore.Place, tags: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const all: Array<Note.Note> = []
    while (true) {
      const after = all.at(-1)?.noteId ?? ""
      const filter = { tags: Note.normaliseTags(tags), kinds: Note.Kind.literals }
      const page = yield* store.list(place, { ...filter, after, limit: pageLength })
      all.push(...page)
      if (page.length < pageLength) return all
    }
  })

export const list = (program: Program, common: Common, options: MemoryOptions) =>
  withNotes(program, common, ({ place, store }) =>
    Effect.map(Effect.andThen(checkLimit(options), everyNote(store, place, options.tags)), (notes) => {
      if (notes.length === 0) program.output.note("nothing is remembered yet")
      show(program, notes, options.format)
    })
  )

const noNote = (id: string) => usage(`there is no note ${id}`, "bough memory list names them")

export const showOne = (program: Program, common: Common, { id }: { readonly id: string }) =>
  withNotes(program, common, ({ place, store }) =>
    Effect.flatMap(store.get(place, Note.NoteId.make(id)), (note) =>
      note === null ? noNote(id) : Effect.sync(() => program.output.answerEscaped(Escape.text(NoteText.print(note))))
    )
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
      program.output.answerEscaped(`${Escape.line(note.noteId)}\n`)
    })
  )

export const remove = (program: Program, common: Common, { id }: { readonly id: string }) =>
  withNotes(program, common, ({ place, store }) =>
    Effect.flatMap(store.remove(place, Note.NoteId.make(id)), (was) => (was ? Effect.void : noNote(id)))
  )

const inFolder = <A>(folder: string, body: (path: string) => A): Effect.Effect<A, Stop> =>
  Effect.try({
    try: () => body(resolve(folder)),
    catch: (cause) => failed(`cannot use ${folder}: ${SystemReason.of(cause)}`, "name another folder", cause)
  })

/** Where a relative folder is meant to be: `pnpm` starts programs elsewhere. */
const folderOf = ({ surroundings }: Program, folder: string): string =>
  resolve(surroundings.variables["INIT_CWD"] ?? surroundings.currentDirectory, folder)

export const exportAll = (program: Program, common: Common, { folder }: { readonly folder: string }) =>
  withNotes(program, common, ({ place, store }) =>
    Effect.gen(function* () {
      const notes = yield* everyNote(store, place, [])
      yield* inFolder(folderOf(program, folder), (path) => {
        mkdirSync(path, { recursive: true, mode: 0o700 })
        for (const note of notes) writeFileSync(join(path, NoteText.fileName(note.noteId)), NoteText.print(note))
      })
      program.output.note(`wrote ${notes.length} notes to ${folder}`)
    })
  )

interface NoteFile {
  readonly name: string
  readonly written: NoteText.Written
}

/** All or none: a file that is no note is named before anything is stored. */
const readAll = (program: Program, folder: string): Effect.Effect<ReadonlyArray<NoteFile>, Stop> =>
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

export const importAll = (program: Program, common: Common, { folder }: { readonly folder: string }) =>
  withNotes(program, common, ({ place, store }) =>
    Effect.gen(function* () {
      const count = { added: 0, changed: 0, known: 0 }
      for (const { written } of yield* readAll(program, folder)) {
        const { kind, text } = written
        const noteId = Note.NoteId.make(written.noteId ?? `note-${Canonical.digest(text).slice(7, 39)}`)
        const tags = Note.normaliseTags(written.tags)
        const before = yield* store.get(place, noteId)
        if (before === null) {
          const { createdAtMillis, untrusted } = written
          const draft = { noteId, kind, text, tags, source: written.source ?? "import", untrusted, createdAtMillis }
          const { status } = yield* store.save(place, draft)
          count[status === "Saved" ? "added" : "known"] += 1
        } else if (before.text !== text || before.kind !== kind || before.tags.join("\n") !== tags.join("\n")) {
          yield* store.update(place, noteId, { text, kind, tags, untrusted: written.untrusted })
          count.changed += 1
        } else count.known += 1
      }
      program.output.note(`${count.added} notes added, ${count.changed} changed, ${count.known} known already`)
    })
  )

export const reindex = (program: Program, common: Common) =>
  withNotes(program, common, ({ settings }) =>
    Effect.gen(function* () {
      const memory = yield* Load.open(settings, bar(program))
      yield* memory.index
        .settle(true)
        .pipe(Effect.mapError((error) => failed(error.message, "see embedding.model in the configuration", error)))
      program.output.note(
        settings.embeddingModel === "none" ? "no embedding model is configured" : "the index is up to date"
      )
    })
  )

export const stats = (program: Program, common: Common, { format }: { readonly format: ListFormat }) =>
  withNotes(program, common, ({ place, settings, store }) =>
    Effect.map(everyNote(store, place, []), (notes) => {
      const kinds = Object.fromEntries(
        Note.Kind.literals.map((kind) => [kind, notes.filter((note) => note.kind === kind).length] as const)
      )
      const characters = notes.reduce((sum, { text }) => sum + text.length, 0)
      const found = { notes: notes.length, characters, kinds, embeddingModel: settings.embeddingModel }
      if (format === "json") return program.output.json(found, 2)
      const named = Object.entries(kinds).flatMap(([kind, count]) => (count === 0 ? [] : [`${count} ${kind}`]))
      program.output.answerEscaped(
        `${found.notes} notes${named.length === 0 ? "" : ` (${named.join(", ")})`}, ${characters} characters, embedding model ${Escape.line(found.embeddingModel)}\n`
      )
    })
  )

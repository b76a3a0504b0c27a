/**
 * The memory of every user of this process: MemoryRead and MemoryWrite for the calls of sessions, over the NoteStore
 * and the semantic index. The index is loaded with the first search.
 */
import { Note, ToolError } from "@bough/protocol"
import { ConversationIndex, Invocation, MemoryRead, MemoryWrite, NoteStore, type ToolContext } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { join } from "node:path"
import * as Bearing from "./Bearing.ts"
import * as Conversations from "./Conversations.ts"
import type { Embedder } from "./Embedder.ts"
import * as FileFolders from "./FileFolders.ts"
import * as Fusion from "./Fusion.ts"
import * as Deduplicate from "./Deduplicate.ts"
import * as MemoryFiles from "./MemoryFiles.ts"
import * as NoteIds from "./NoteIds.ts"
import * as NoteIndex from "./NoteIndex.ts"
import * as NoteWriting from "./NoteWriting.ts"
import type * as Recollection from "./Recollection.ts"
import * as Recency from "./Recency.ts"
import * as Relevance from "./Relevance.ts"
import * as SensitiveText from "./SensitiveText.ts"
import { toToolError } from "./StoreFailure.ts"

type Caller = Invocation.Invocation["Service"]

export interface MemoryOptions {
  /** The directory of the index and of the Markdown files; created if it is missing. */
  readonly directory: string
  /** The root of the sessions' project, whose notes they see beside the user's; null or absent: none. */
  readonly project?: string | null
  /** Null: notes are found only by their words. */
  readonly embedder: Embedder | null
  readonly weights: Fusion.Weights
  readonly onProgress: NoteIndex.Progress
  /**
   * The maximum number of notes that are compared one by one; a larger memory has a LanceDB table of vectors, if
   * LanceDB is installed. Default 20,000.
   */
  readonly largestExact?: number
  /** The entry of the table's library (`VectorLibrary`); default: it can only be installed beside this package. */
  readonly library?: string | null
}

export interface Query extends NoteStore.Filter {
  readonly text: string
  readonly limit: number
}

export interface Memory {
  readonly search: (
    place: NoteStore.NoteScope,
    query: Query
  ) => Effect.Effect<MemoryRead.MemorySearch, NoteStore.NoteStoreFailed>
  /**
   * Returns the few notes that are clearly relevant to a text, best first. They are found only by their words, so that
   * neither an index nor a model is loaded. Notes with a secret are never returned.
   */
  readonly bearing: (
    place: NoteStore.NoteScope,
    text: string,
    /** Ids of notes that are left out. */
    without: ReadonlySet<string>
  ) => Effect.Effect<ReadonlyArray<Recollection.Line>, NoteStore.NoteStoreFailed>
  /**
   * `hold`: the key under which changes are staged until they are settled; default: null, they are committed at once.
   * `mark` is called if a text that was read is untrusted.
   */
  readonly read: (caller: Caller, mark: ToolContext.Mark, hold?: string | null) => MemoryRead.MemoryRead["Service"]
  readonly write: (caller: Caller, hold?: string | null) => MemoryWrite.MemoryWrite["Service"]
  readonly index: NoteIndex.NoteIndex
  readonly conversations: Conversations.Conversations
}

/** The number of candidates of each ranking per result. */
const candidates = 5
const fewestCandidates = 50
/** The similarity below which notes count as about another subject; one percent of the right answers is below it. */
const minSimilarity = 0.25

const noUser = "this session has no user, and memory is stored per user: start the session with a user to use memory"

export const make = Effect.fnUntraced(function* (
  options: MemoryOptions
): Effect.fn.Return<Memory, never, NoteStore.NoteStore | ConversationIndex.ConversationIndex | Scope.Scope> {
  const store = yield* NoteStore.NoteStore
  const index = yield* NoteIndex.make({ ...options, directory: join(options.directory, "index") })
  const conversations = Conversations.make(yield* ConversationIndex.ConversationIndex)
  const knownText = Deduplicate.make(store)
  let said: string | null = null

  /** Returns a reason the first time it occurs, then null. */
  const once = (reason: string | null): string | null => {
    if (reason === said) return null
    said = reason
    return reason
  }

  const search: Memory["search"] = Effect.fnUntraced(function* (place, query) {
    const limit = Math.max(fewestCandidates, query.limit * candidates)
    // The words are searched while LanceDB's threads compare vectors.
    const meaning = yield* index.begin(place, { ...query, limit })
    const words = yield* store.search(place, { ...query, limit })
    const { reason, rows } = yield* meaning
    const known = new Map(words.map(({ note, row }) => [row, note]))
    const near = rows.filter(({ similarity }) => similarity >= minSimilarity)
    const unknown = near.flatMap(({ row }) => (known.has(row) ? [] : [row]))
    for (const { note, row } of yield* store.visible(place, unknown)) known.set(row, note)
    const weights = yield* store.weigh(place, query.text, [...known.keys()])
    const likely = Relevance.relevanceOf(weights, rows)
    const scored = words.map(({ row }) => ({ row, score: likely.get(row) ?? 0 }))
    const meant = near.flatMap(({ row }) => (known.has(row) ? [row] : []))
    const now = yield* Clock.currentTimeMillis
    const ranked = Recency.favour(Fusion.fuse(scored, meant, options.weights), known)
    const found = ranked.flatMap(({ row }) => {
      const note = known.get(row)
      const score = likely.get(row) ?? 0
      return note === undefined ? [] : [{ note, score, confidence: Relevance.confidenceOf(score) }]
    })
    // Expired notes come after all current notes.
    const notes = found
      .toSorted((left, right) => Number(Note.isEnded(left.note, now)) - Number(Note.isEnded(right.note, now)))
      .slice(0, query.limit)
    knownText.given(
      place.user,
      notes.map(({ note }) => note)
    )
    return { notes, fits: notes.some(({ score }) => Relevance.fits(score)), wordsOnly: once(reason) }
  })

  const bearing: Memory["bearing"] = Effect.fnUntraced(function* (place, text, without) {
    const words = yield* store.search(place, { text, limit: fewestCandidates, tags: [], kinds: [] })
    const now = yield* Clock.currentTimeMillis
    const found = words.filter(({ note }) => !Note.isEnded(note, now) && !SensitiveText.has(note.text))
    const rows = found.map(({ row }) => row)
    const bearing = Bearing.bearingNotes(yield* store.weigh(place, text, rows), rows)
    const notes = found.flatMap(({ note, row }) => (bearing.has(row) && !without.has(note.noteId) ? [note] : []))
    knownText.given(place.user, notes)
    return yield* Effect.forEach(notes, (note) =>
      Effect.map(NoteIds.shorten(store, place, note.noteId), (shortId) => ({ note, shortId }))
    )
  })

  const find = (place: NoteStore.NoteScope, noteId: string) =>
    Effect.mapError(NoteIds.find(store, place, noteId), (error) =>
      error._tag === "NoteStoreFailed" ? toToolError(error) : error
    )

  const placeOf = (
    { user }: Caller,
    hold: string | null
  ): Effect.Effect<NoteStore.NoteScope, ToolError.ExecutionError> =>
    user === null
      ? Effect.fail(new ToolError.ExecutionError({ message: noUser }))
      : Effect.succeed({ user, hold, project: options.project ?? null })

  const files = (caller: Caller, hold: string | null) =>
    Effect.map(placeOf(caller, hold), ({ user }) => MemoryFiles.make(FileFolders.files(options.directory), user, hold))

  const read: Memory["read"] = (caller, mark, hold = null) => {
    const marking = (notes: ReadonlyArray<Note.Note>): void => {
      if (notes.some(({ untrusted }) => untrusted)) mark("untrusted")
    }
    // The origin of a file's text is unknown.
    const ofFiles = Effect.tap(files(caller, hold), () => Effect.sync(() => mark("untrusted")))
    return {
      search: (query) =>
        Effect.flatMap(placeOf(caller, hold), (place) =>
          Effect.mapError(search(place, { ...query, tags: Note.normaliseTags(query.tags) }), toToolError)
        ).pipe(Effect.tap(({ notes }) => Effect.sync(() => marking(notes.map(({ note }) => note))))),
      get: (noteId) =>
        Effect.gen(function* () {
          const place = yield* placeOf(caller, hold)
          const note = yield* find(place, noteId)
          if (note === null) return null
          marking([note])
          knownText.given(place.user, [note])
          return note
        }),
      conversations: (query) =>
        Effect.flatMap(placeOf(caller, hold), ({ user }) =>
          Effect.mapError(
            conversations.search({ user, without: caller.sessionPath[0] ?? caller.sessionId }, query),
            toToolError
          )
        ).pipe(
          Effect.tap(({ said }) =>
            Effect.sync(() => {
              for (const { labels } of said) labels.forEach(mark)
            })
          )
        ),
      history: (noteId) =>
        Effect.gen(function* () {
          const place = yield* placeOf(caller, hold)
          const whole = (yield* find(place, noteId))?.noteId ?? noteId
          const versions = yield* Effect.mapError(store.history(place, whole), toToolError)
          marking(versions.map(({ note }) => note))
          return versions
        }),
      listFiles: Effect.flatMap(ofFiles, ({ listFiles }) => listFiles),
      readFile: (path) => Effect.flatMap(ofFiles, ({ readFile }) => readFile(path))
    }
  }

  const write: Memory["write"] = (caller, hold = null) => {
    const parts = { store, knownText, written: index.written, place: placeOf(caller, hold), files: files(caller, hold) }
    const writing = NoteWriting.make(parts, caller)
    /** Returns the full id of a note. If there is no such note, returns the given id, which the error then names. */
    const wholeId = (noteId: Note.NoteId) =>
      Effect.flatMap(parts.place, (place) => Effect.map(find(place, noteId), (note) => note?.noteId ?? noteId))
    return {
      ...writing,
      update: (noteId, text) => Effect.flatMap(wholeId(noteId), (whole) => writing.update(whole, text)),
      remove: (noteId, kept) => Effect.flatMap(wholeId(noteId), (whole) => writing.remove(whole, kept))
    }
  }

  return { search, bearing, read, write, index, conversations }
})

/** Searches notes by words and by meaning, and ranks both results together. */
import { Note } from "@bough/protocol"
import type { MemoryRead, NoteStore } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Bearing from "./Bearing.ts"
import type * as Deduplicate from "./Deduplicate.ts"
import * as Fusion from "./Fusion.ts"
import * as NoteIds from "./NoteIds.ts"
import type * as NoteIndex from "./NoteIndex.ts"
import * as Recency from "./Recency.ts"
import type * as Recollection from "./Recollection.ts"
import * as Relevance from "./Relevance.ts"
import * as SensitiveText from "./SensitiveText.ts"

export interface Query extends NoteStore.Filter {
  readonly text: string
  readonly limit: number
}

export interface NoteSearch {
  readonly search: (
    scope: NoteStore.NoteScope,
    query: Query
  ) => Effect.Effect<MemoryRead.MemorySearch, NoteStore.NoteStoreFailed>
  /**
   * Returns the few notes that are clearly relevant to a text, best first. They are found only by their words, so that
   * neither an index nor a model is loaded. Notes with a secret are never returned.
   */
  readonly findBearing: (
    scope: NoteStore.NoteScope,
    text: string,
    /** Ids of notes that are left out. */
    without: ReadonlySet<string>
  ) => Effect.Effect<ReadonlyArray<Recollection.Line>, NoteStore.NoteStoreFailed>
}

export interface NoteSearchOptions {
  readonly store: NoteStore.NoteStore["Service"]
  readonly index: NoteIndex.NoteIndex
  readonly knownText: Deduplicate.KnownText
  readonly weights: Fusion.Weights
}

/** The number of candidates of each ranking per result. */
const candidates = 5
const minCandidates = 50
/** The similarity below which notes count as about another subject; one percent of the right answers is below it. */
const minSimilarity = 0.25

export const make = ({ index, knownText, store, weights }: NoteSearchOptions): NoteSearch => {
  const onlyNewReasons = makeReasonFilter()
  return {
    search: Effect.fnUntraced(function* (scope, query) {
      const limit = Math.max(minCandidates, query.limit * candidates)
      // The words are searched while LanceDB's threads compare vectors.
      const meaning = yield* index.begin(scope, { ...query, limit })
      const words = yield* store.search(scope, { ...query, limit })
      const { reason, rows } = yield* meaning
      const near = rows.filter(({ similarity }) => similarity >= minSimilarity).map(({ row }) => row)
      const noteOf = new Map(words.map(({ note, row }) => [row, note]))
      const unknown = near.filter((row) => !noteOf.has(row))
      for (const { note, row } of yield* store.visible(scope, unknown)) noteOf.set(row, note)
      const relevance = Relevance.relevanceOf(yield* store.weigh(scope, query.text, [...noteOf.keys()]), rows)
      const ranked = rank({ byWords: words.map(({ row }) => row), near, noteOf, relevance }, weights)
      const notes = endedLast(ranked, yield* Clock.currentTimeMillis).slice(0, query.limit)
      knownText.remember(
        scope.user,
        notes.map(({ note }) => note)
      )
      return { notes, fits: notes.some(({ score }) => Relevance.fits(score)), wordsOnly: onlyNewReasons(reason) }
    }),
    findBearing: Effect.fnUntraced(function* (scope, text, without) {
      const words = yield* store.search(scope, { text, limit: minCandidates, tags: [], kinds: [] })
      const now = yield* Clock.currentTimeMillis
      const found = words.filter(({ note }) => !Note.isEnded(note, now) && !SensitiveText.isSensitive(note.text))
      const rows = found.map(({ row }) => row)
      const bearing = Bearing.bearingNotes(yield* store.weigh(scope, text, rows), rows)
      const notes = found.flatMap(({ note, row }) => (bearing.has(row) && !without.has(note.noteId) ? [note] : []))
      knownText.remember(scope.user, notes)
      return yield* Effect.forEach(notes, (note) =>
        Effect.map(NoteIds.shorten(store, scope, note.noteId), (shortId) => ({ note, shortId }))
      )
    })
  }
}

/** Returns a function that returns a reason the first time it occurs, then null. */
const makeReasonFilter = (): ((reason: string | null) => string | null) => {
  let last: string | null = null
  return (reason) => {
    if (reason === last) return null
    last = reason
    return reason
  }
}

interface Candidates {
  readonly byWords: ReadonlyArray<number>
  /** The rows that are similar in meaning, the most similar first. */
  readonly near: ReadonlyArray<number>
  readonly noteOf: ReadonlyMap<number, Note.Note>
  readonly relevance: ReadonlyMap<number, number>
}

/** Ranks the notes by both searches, favouring recent notes. */
const rank = (
  { byWords, near, noteOf, relevance }: Candidates,
  weights: Fusion.Weights
): ReadonlyArray<MemoryRead.RecalledNote> => {
  const scoreOf = (row: number): number => relevance.get(row) ?? 0
  const scored = byWords.map((row) => ({ row, score: scoreOf(row) }))
  const nearRows = near.filter((row) => noteOf.has(row))
  return Recency.preferNewer(Fusion.fuse(scored, nearRows, weights), noteOf).flatMap(({ row }) => {
    const note = noteOf.get(row)
    const score = scoreOf(row)
    return note === undefined ? [] : [{ note, score, confidence: Relevance.confidenceOf(score) }]
  })
}

/** Moves expired notes behind all current notes. */
const endedLast = (
  notes: ReadonlyArray<MemoryRead.RecalledNote>,
  nowMillis: number
): ReadonlyArray<MemoryRead.RecalledNote> =>
  notes.toSorted(
    (left, right) => Number(Note.isEnded(left.note, nowMillis)) - Number(Note.isEnded(right.note, nowMillis))
  )

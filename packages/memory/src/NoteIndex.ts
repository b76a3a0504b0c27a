/**
 * Finds notes by meaning. The database has the notes and their vectors. Up to a limit, all vectors are compared. Above
 * it a LanceDB table is built, and vectors are still compared until the table is complete, or always if LanceDB is not
 * installed. Every search first reads the rows that any process has written since, so that saved notes are found at once.
 */
import { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { existsSync } from "node:fs"
import type { Embedder, EmbeddingFailed } from "./Embedder.ts"
import * as ExactIndex from "./ExactIndex.ts"
import * as FirstSearch from "./FirstSearch.ts"
import type { IndexReport } from "./IndexReport.ts"
import * as OpenIndex from "./OpenIndex.ts"
import * as PackedIndex from "./PackedIndex.ts"
import * as VectorTable from "./VectorTable.ts"

export type { Building, IndexFailed, Progress, Query } from "./OpenIndex.ts"

export interface NoteIndexOptions {
  readonly directory: string
  /** Null: notes are found only by their words. */
  readonly embedder: Embedder | null
  readonly onProgress: OpenIndex.Progress
  /** The maximum number of notes that are compared one by one; for more, a table is made. Default 20,000. */
  readonly largestExact?: number
  /** The entry of the table's library; default: it can only be installed beside this package. */
  readonly library?: string | null
}

/** `reason`: the reason why some notes were not compared; null: all were compared. */
export interface Similar {
  readonly rows: ReadonlyArray<VectorTable.Similar>
  readonly reason: string | null
}

type Answer = Effect.Effect<Similar, NoteStore.NoteStoreFailed>

export interface NoteIndex {
  /** Returns notes, the most similar first. An error of the index is not a failure; it is returned as the reason. */
  readonly similar: (place: NoteStore.NoteScope, query: OpenIndex.Query) => Answer
  /** Starts the same search: when this returns, other threads are comparing, and the inner effect waits for them. */
  readonly begin: (
    place: NoteStore.NoteScope,
    query: OpenIndex.Query
  ) => Effect.Effect<Answer, NoteStore.NoteStoreFailed>
  /** Reports a write; the index processes writes in batches. */
  readonly written: Effect.Effect<void>
  readonly report: Effect.Effect<IndexReport | null, NoteStore.NoteStoreFailed>
  /** Embeds every note, and builds the table of a large memory. If the argument is true, everything is rebuilt. */
  readonly settle: (rebuild: boolean) => Effect.Effect<void, OpenIndex.IndexFailed>
}

const defaultLargestExact = 20_000
/**
 * The table is dropped only below this fraction of the size at which it is built, so that a memory near the limit does
 * not rebuild it repeatedly.
 */
const keptDownTo = 3 / 4
/** The time for which an ending process continues a build that it has begun. */
const lastMillis = 2000

const none = (reason: string): Similar => ({ rows: [], reason })

export const make = Effect.fnUntraced(function* (
  options: NoteIndexOptions
): Effect.fn.Return<NoteIndex, never, NoteStore.NoteStore | Scope.Scope> {
  const store = yield* NoteStore.NoteStore
  const scope = yield* Effect.scope
  const one = Semaphore.makeUnsafe(1)
  const { directory, embedder, largestExact = defaultLargestExact, library = null, onProgress } = options
  let exact: ExactIndex.ExactIndex | null = null
  let table: OpenIndex.OpenIndex | null = null
  /** True once it is known whether a table is needed. */
  let looked = false
  /** True once a search was answered, with an index or without one. */
  let hasSearched = false
  /** True once a note was written that may not have a vector yet. */
  let hasWritten = false
  /** True if the vector file of a large memory is out of date. */
  let isPackStale = false
  /** False once it is known that no table can be opened, because its library is not installed or does not load. */
  let canOpenTable = true
  let writes = 0
  let busy = false

  /** Null: the library is not installed. */
  const openTable = Effect.fnUntraced(function* (given: Embedder) {
    canOpenTable = Exit.isSuccess(yield* Effect.exit(VectorTable.load(library)))
    if (!canOpenTable) return null
    return (table = yield* OpenIndex.open({ directory, embedder: given, library, store, onProgress }))
  })

  const dropTable = Effect.andThen(
    Effect.sync(() => (table = null)),
    Effect.andThen(PackedIndex.clear(directory), OpenIndex.clear(directory))
  )

  /** Opens the existing table if the memory is still large enough, else removes it. */
  const look = Effect.fnUntraced(function* (given: Embedder) {
    const isThere = existsSync(OpenIndex.tablesIn(directory))
    const least = isThere ? largestExact * keptDownTo : largestExact
    if ((yield* store.rowNumbers).length > least) yield* openTable(given)
    else if (isThere) yield* Effect.ignore(dropTable)
    looked = true
  })

  const openExact = Effect.fnUntraced(function* (given: Embedder) {
    return (exact ??= yield* ExactIndex.open({ embedder: given, onProgress, store }))
  })

  /** Completes the table, which then replaces the comparison of all vectors. */
  const buildTable = Effect.fnUntraced(function* (given: Embedder) {
    const opened = table ?? (yield* openTable(given))
    if (opened === null) return
    if (opened.backlog() > 0) yield* opened.build
    if (opened.backlog() === 0) exact = null
  })

  /** Returns the index that can be searched now. */
  const serving = (given: Embedder): Effect.Effect<OpenIndex.OpenIndex, OpenIndex.IndexFailed> =>
    Effect.gen(function* () {
      if (!looked) yield* Effect.catchTag(look(given), "VectorTableFailed", () => Effect.ignore(dropTable))
      return table?.backlog() === 0 ? table : yield* openExact(given)
    })

  const ready = (given: Embedder) =>
    Effect.suspend(() =>
      looked && table?.backlog() === 0
        ? Effect.succeed(table)
        : exact !== null
          ? Effect.succeed(exact)
          : one.withPermit(serving(given))
    )

  const isLarge = (): boolean => exact === null || exact.size() > largestExact

  const isOutgrown = (): boolean => exact !== null && canOpenTable && (isLarge() || table !== null)

  const inBackground = (body: Effect.Effect<void, OpenIndex.IndexFailed>): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (busy) return Effect.void
      busy = true
      return one.withPermit(body).pipe(
        // A failure is ignored: the notes are in the database, and the next search or write tries again.
        Effect.ignore,
        Effect.ensuring(Effect.sync(() => (busy = false))),
        Effect.forkIn(scope),
        Effect.asVoid
      )
    })

  /** Continues, in the background, the work that a search left. */
  const goOn = (given: Embedder, index: OpenIndex.OpenIndex) =>
    Effect.suspend(() => {
      if (index === exact && index.backlog() > 0) return inBackground(index.build)
      if (isOutgrown()) return inBackground(buildTable(given))
      return index.isDue() ? inBackground(index.flush) : Effect.void
    })

  const excused = (error: EmbeddingFailed): Effect.Effect<Similar> => Effect.succeed(none(error.message))

  const reasonOf = (index: OpenIndex.OpenIndex): string | null =>
    index.backlog() === 0 ? null : `the index of ${index.backlog()} notes is being built`

  /** Null: the memory is large, or an index has to complete its vectors. */
  const firstAnswer = Effect.fnUntraced(function* (
    given: Embedder,
    place: NoteStore.NoteScope,
    query: OpenIndex.Query
  ) {
    if (hasSearched || exact !== null || table !== null) return null
    hasSearched = true
    const { dropped, written } = yield* store.counters
    const notes = written - dropped
    const isThere = existsSync(OpenIndex.tablesIn(directory))
    if (notes <= largestExact && !isThere) return yield* FirstSearch.similar({ embedder: given, store }, place, query)
    // A memory that has become small loses its table.
    if (notes <= largestExact * keptDownTo) return null
    const packed = yield* PackedIndex.similar({ directory, embedder: given, store }, place, query)
    isPackStale = packed?.isStale === true
    return packed?.rows ?? null
  })

  type Begun = Effect.Effect<Effect.Effect<Similar, OpenIndex.IndexFailed>, OpenIndex.IndexFailed>

  const searched = (given: Embedder, place: NoteStore.NoteScope, query: OpenIndex.Query): Begun =>
    Effect.gen(function* () {
      const first = yield* firstAnswer(given, place, query)
      if (first !== null) return Effect.succeed({ rows: first, reason: null })
      const index = yield* ready(given)
      return (yield* index.search(place, query)).pipe(
        Effect.map((rows): Similar => ({ rows, reason: reasonOf(index) })),
        Effect.tap(() => goOn(given, index))
      )
    })

  const begin: NoteIndex["begin"] = (place, query) => {
    if (embedder === null) return Effect.succeed(Effect.succeed(none("no embedding model is configured")))
    // An unreadable table is rebuilt; until then all vectors are compared.
    const instead = Effect.andThen(
      Effect.ignore(one.withPermit(dropTable)),
      Effect.flatten(searched(embedder, place, query))
    )
    const answered = (answer: Effect.Effect<Similar, OpenIndex.IndexFailed>): Answer =>
      answer.pipe(
        Effect.catchTag("VectorTableFailed", () => instead),
        Effect.catchTag("EmbeddingFailed", excused),
        Effect.catchTag("VectorTableFailed", ({ message }) => Effect.succeed(none(message)))
      )
    return searched(embedder, place, query).pipe(
      Effect.map(answered),
      Effect.catchTag(["EmbeddingFailed", "VectorTableFailed"], (error) =>
        Effect.map(answered(Effect.fail(error)), Effect.succeed)
      )
    )
  }

  const settle: NoteIndex["settle"] = Effect.fnUntraced(function* (rebuild) {
    if (embedder === null) return
    if (rebuild) {
      yield* one.withPermit(
        Effect.gen(function* () {
          yield* dropTable
          exact = null
          yield* store.clearVectors
        })
      )
    }
    const index = yield* ready(embedder)
    yield* one.withPermit(index.build)
    if (isOutgrown()) yield* one.withPermit(buildTable(embedder))
  })

  const pack = (given: Embedder) => PackedIndex.update({ directory, embedder: given, store })

  /** Completes missing vectors, the table and the vector file within the time limit. */
  const finish = Effect.suspend((): Effect.Effect<void, OpenIndex.IndexFailed> => {
    if (embedder === null) return Effect.void
    if (exact === null && table === null) {
      if (hasSearched && hasWritten) return Effect.flatMap(serving(embedder), (index) => index.flush)
      return isPackStale ? pack(embedder) : Effect.void
    }
    const flushed = isOutgrown() ? buildTable(embedder) : (exact ?? table)?.flush
    return Effect.andThen(flushed ?? Effect.void, isLarge() || table !== null ? pack(embedder) : Effect.void)
  })

  yield* Effect.addFinalizer(() =>
    Effect.asVoid(Effect.exit(Effect.map(Effect.timeoutOption(one.withPermit(finish), lastMillis), Option.isSome)))
  )

  return {
    begin,
    similar: (place, query) => Effect.flatten(begin(place, query)),
    settle,
    report: store.vectorReport,
    written: Effect.suspend(() => {
      writes += 1
      hasWritten = true
      if (embedder === null || writes < OpenIndex.worthWriting) return Effect.void
      writes = 0
      return inBackground(
        Effect.flatMap(serving(embedder), (index) => (index.backlog() > 0 ? index.build : index.flush))
      )
    })
  }
})

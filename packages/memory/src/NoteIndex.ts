/**
 * Finds notes by meaning. The database has the notes and their vectors. Up to a limit, all vectors are compared. Above
 * it a LanceDB table is built, and vectors are still compared until the table is complete, or always if LanceDB is not
 * installed. Every search first reads the rows that any process has written since, so that saved notes are found at once.
 */
import { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Embedder } from "./Embedder.ts"
import * as FirstAnswer from "./FirstAnswer.ts"
import * as IndexChoice from "./IndexChoice.ts"
import type { IndexReport } from "./IndexReport.ts"
import * as OpenIndex from "./OpenIndex.ts"
import * as PackedIndex from "./PackedIndex.ts"
import type * as VectorTable from "./VectorTable.ts"

export type { IndexProgress, IndexFailed, Progress, Query } from "./OpenIndex.ts"

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
  readonly similar: (scope: NoteStore.NoteScope, query: OpenIndex.Query) => Answer
  /** Starts the same search: when this returns, other threads are comparing, and the inner effect waits for them. */
  readonly begin: (
    scope: NoteStore.NoteScope,
    query: OpenIndex.Query
  ) => Effect.Effect<Answer, NoteStore.NoteStoreFailed>
  /** Reports a write; the index processes writes in batches. */
  readonly written: Effect.Effect<void>
  readonly report: Effect.Effect<IndexReport | null, NoteStore.NoteStoreFailed>
  /** Embeds every note, and builds the table of a large memory. If the argument is true, everything is rebuilt. */
  readonly settle: (rebuild: boolean) => Effect.Effect<void, OpenIndex.IndexFailed>
}

const defaultLargestExact = 20_000
/** The time for which an ending process continues a build that it has begun. */
const lastMillis = 2000

const none = (reason: string): Similar => ({ rows: [], reason })

export const make = Effect.fnUntraced(function* ({
  embedder,
  largestExact = defaultLargestExact,
  library = null,
  ...options
}: NoteIndexOptions): Effect.fn.Return<NoteIndex, never, NoteStore.NoteStore | Scope.Scope> {
  const store = yield* NoteStore.NoteStore
  return embedder === null
    ? withoutModel(store)
    : yield* withModel({ ...options, embedder, largestExact, library, store })
})

const withoutModel = (store: NoteStore.NoteStore["Service"]): NoteIndex => {
  const answer = Effect.succeed(none("no embedding model is configured"))
  return {
    similar: () => answer,
    begin: () => Effect.succeed(answer),
    written: Effect.void,
    report: store.vectorReport,
    settle: () => Effect.void
  }
}

const withModel = Effect.fnUntraced(function* (
  options: IndexChoice.IndexChoiceOptions
): Effect.fn.Return<NoteIndex, never, Scope.Scope> {
  const { store } = options
  const indexScope = yield* Effect.scope
  const lock = Semaphore.makeUnsafe(1)
  const choice = IndexChoice.make(options)
  const first = FirstAnswer.make(options)
  let writes = 0
  /** True once a note was written that may not have a vector yet. */
  let hasWritten = false
  let isBusy = false

  const ready = Effect.suspend(() => {
    const current = choice.current()
    return current === null ? lock.withPermit(choice.choose) : Effect.succeed(current)
  })

  const inBackground = (body: Effect.Effect<void, OpenIndex.IndexFailed>): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (isBusy) return Effect.void
      isBusy = true
      return lock.withPermit(body).pipe(
        // A failure is ignored: the notes are in the database, and the next search or write tries again.
        Effect.ignore,
        Effect.ensuring(Effect.sync(() => (isBusy = false))),
        Effect.forkIn(indexScope),
        Effect.asVoid
      )
    })

  /** Continues, in the background, the work that a search left. */
  const continueWork = (index: OpenIndex.OpenIndex) =>
    Effect.suspend(() => {
      if (index.backlog() > 0) return inBackground(index.build)
      if (choice.isTableDue()) return inBackground(choice.buildTable)
      return index.isDue() ? inBackground(index.flush) : Effect.void
    })

  const search = Effect.fnUntraced(function* (
    scope: NoteStore.NoteScope,
    query: OpenIndex.Query
  ): Effect.fn.Return<Effect.Effect<Similar, OpenIndex.IndexFailed>, OpenIndex.IndexFailed> {
    const rows = choice.opened() === null ? yield* first.take(scope, query) : null
    if (rows !== null) return Effect.succeed({ rows, reason: null })
    const index = yield* ready
    return (yield* index.search(scope, query)).pipe(
      Effect.map((found): Similar => ({ rows: found, reason: reasonOf(index) })),
      Effect.tap(() => continueWork(index))
    )
  })

  const begin: NoteIndex["begin"] = (scope, query) => {
    // An unreadable table is rebuilt; until then all vectors are compared.
    const withoutTable = Effect.andThen(
      Effect.ignore(lock.withPermit(choice.dropTable)),
      Effect.flatten(search(scope, query))
    )
    return search(scope, query).pipe(
      Effect.map((answer) => orReason(answer, withoutTable)),
      Effect.catchTag(["EmbeddingFailed", "VectorTableFailed"], (error) =>
        Effect.map(orReason(Effect.fail(error), withoutTable), Effect.succeed)
      )
    )
  }

  const settle: NoteIndex["settle"] = Effect.fnUntraced(function* (rebuild) {
    if (rebuild) yield* lock.withPermit(Effect.andThen(choice.clear, store.clearVectors))
    const index = yield* ready
    yield* lock.withPermit(index.build)
    if (choice.isTableDue()) yield* lock.withPermit(choice.buildTable)
  })

  /** Completes missing vectors, the table and the vector file. */
  const finish = Effect.suspend((): Effect.Effect<void, OpenIndex.IndexFailed> => {
    const opened = choice.opened()
    if (opened === null) {
      if (first.hasSearched() && hasWritten) return Effect.flatMap(choice.choose, (index) => index.flush)
      return first.isFileStale() ? PackedIndex.update(options) : Effect.void
    }
    return Effect.andThen(
      choice.isTableDue() ? choice.buildTable : opened.flush,
      choice.usesVectorFile() ? PackedIndex.update(options) : Effect.void
    )
  })

  yield* Effect.addFinalizer(() =>
    Effect.asVoid(Effect.exit(Effect.timeoutOption(lock.withPermit(finish), lastMillis)))
  )

  return {
    begin,
    similar: (scope, query) => Effect.flatten(begin(scope, query)),
    settle,
    report: store.vectorReport,
    written: Effect.suspend(() => {
      writes += 1
      hasWritten = true
      if (writes < OpenIndex.worthWriting) return Effect.void
      writes = 0
      return inBackground(Effect.flatMap(choice.choose, (index) => (index.backlog() > 0 ? index.build : index.flush)))
    })
  }
})

const reasonOf = (index: OpenIndex.OpenIndex): string | null =>
  index.backlog() === 0 ? null : `the index of ${index.backlog()} notes is being built`

/** Searches without the table if it failed, and turns a failure of the index into a reason. */
const orReason = (
  answer: Effect.Effect<Similar, OpenIndex.IndexFailed>,
  withoutTable: Effect.Effect<Similar, OpenIndex.IndexFailed>
): Answer =>
  answer.pipe(
    Effect.catchTag("VectorTableFailed", () => withoutTable),
    Effect.catchTag(["EmbeddingFailed", "VectorTableFailed"], ({ message }) => Effect.succeed(none(message)))
  )

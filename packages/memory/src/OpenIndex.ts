/**
 * The table of one model's vectors, and the rows of the database that the table lacks: recently written rows, which are
 * compared one by one, and possibly a backlog after opening.
 */
import { Directory, SystemError } from "@bough/disk"
import * as ProcessLock from "@bough/disk/ProcessLock"
import { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import type { Embedder, EmbeddingFailed } from "./Embedder.ts"
import * as Nearest from "./Nearest.ts"
import * as Reconcile from "./Reconcile.ts"
import * as UnindexedRows from "./UnindexedRows.ts"
import * as Vectors from "./Vectors.ts"
import * as VectorTable from "./VectorTable.ts"

/** The progress of embedding: `done` of the `total` notes that were not in the index. */
export interface IndexProgress {
  readonly done: number
  readonly total: number
}

/** Called with the progress; null: the build has stopped, finished or not. */
export type Progress = (at: IndexProgress | null) => void

export interface OpenIndexOptions {
  readonly directory: string
  readonly embedder: Embedder
  readonly store: NoteStore.NoteStore["Service"]
  readonly onProgress: Progress
  /** The entry of the table's library, if it is not installed beside this package. */
  readonly library: string | null
  /** The maximum time for which another process may hold the lock; default 2 s. */
  readonly lockMillis?: number
}

export interface Query extends NoteStore.Filter {
  readonly text: string
  readonly limit: number
}

export type IndexFailed = NoteStore.NoteStoreFailed | EmbeddingFailed | VectorTable.VectorTableFailed

/** The results, most similar first. */
type SimilarRows = ReadonlyArray<VectorTable.Similar>

export interface OpenIndex {
  /** The number of rows that are neither in the table nor compared separately, and that a search therefore misses. */
  readonly backlog: () => number
  /** True once enough rows were written to flush them. */
  readonly isDue: () => boolean
  /** Starts a search: when this returns, other threads are comparing, and the inner effect waits for them. */
  readonly search: (
    scope: NoteStore.NoteScope,
    query: Query
  ) => Effect.Effect<Effect.Effect<SimilarRows, VectorTable.VectorTableFailed>, IndexFailed>
  /** Writes the rows since the last flush into the table. */
  readonly flush: Effect.Effect<void, IndexFailed>
  /** Processes the backlog, after which the table has exactly the database's rows. */
  readonly build: Effect.Effect<void, IndexFailed>
}

/** The maximum number of rows that a search waits to embed; further rows are embedded in the background. */
const promptRows = 512
/** The number of writes in a flush. */
export const worthWriting = 256
/** The maximum number of parts of the table, to which each write adds one; more parts are merged. */
const maxParts = 24
const pageRows = 1000
const defaultLockMillis = 2000

export const tablesIn = (directory: string): string => join(directory, "vectors")

/** Removes every table of that folder. */
export const clear = (directory: string): Effect.Effect<void, VectorTable.VectorTableFailed> =>
  Effect.tryPromise({
    try: () => rm(tablesIn(directory), { recursive: true, force: true }),
    catch: (cause) =>
      new VectorTable.VectorTableFailed({ message: `the index cannot be removed: ${SystemError.reason(cause)}` })
  })

/** A table that cannot be read is replaced by an empty one. */
const compared = Effect.fnUntraced(function* ({ directory, embedder, library, store }: OpenIndexOptions) {
  // The thread loads its model in parallel.
  const [identity] = yield* Effect.all([embedder.identity, VectorTable.load(library)], { concurrency: 2 })
  const attempt = Effect.gen(function* () {
    // LanceDB creates its folders with the default mode.
    yield* Effect.try({ try: () => Directory.makePrivate(directory), catch: VectorTable.failed })
    const table = yield* VectorTable.open({ directory: tablesIn(directory), library, ...identity })
    const counters = yield* store.counters
    return { table, counters, have: yield* table.rowNumbers(0, Infinity) }
  })
  const { counters, have, table } = yield* Effect.catchTag(attempt, "VectorTableFailed", () =>
    Effect.andThen(clear(directory), attempt)
  )
  const vectors = Vectors.make(store, embedder, identity)
  return { table, counters, vectors, ...Reconcile.difference(yield* store.rowNumbers, have) }
})

/** Opens the table, or makes it, and compares it with the database row by row. */
export const open = Effect.fnUntraced(function* (options: OpenIndexOptions): Effect.fn.Return<OpenIndex, IndexFailed> {
  const { directory, embedder, lockMillis = defaultLockMillis, onProgress, store } = options
  const { counters, missing, surplus, table, vectors } = yield* compared(options)
  const pending = UnindexedRows.make(store, vectors, counters)
  let backlog: ReadonlySet<number> = missing

  const eachMissing = Effect.fnUntraced(function* <E>(
    body: (rows: ReadonlyArray<NoteStore.EmbeddedRow>) => Effect.Effect<void, E>
  ): Effect.fn.Return<void, E | NoteStore.NoteStoreFailed> {
    const [first] = backlog
    let after = first === undefined ? Infinity : first - 1
    while (Number.isFinite(after)) {
      const page = yield* vectors.page({ after, limit: pageRows })
      const rows = page.filter(({ row }) => backlog.has(row))
      if (rows.length > 0) yield* body(rows)
      after = page.at(-1)?.row ?? Infinity
    }
  })

  /** Runs the body under the lock; null: another process has the lock. */
  const locked = <A, E>(body: Effect.Effect<A, E>): Effect.Effect<A | null, E> =>
    Effect.scoped(
      Effect.flatMap(ProcessLock.acquire(join(directory, "index.lock"), lockMillis), (mine) =>
        mine ? body : Effect.succeed(null)
      )
    )

  /**
   * Writes the rows that no other process has written in the meantime. False: another process has the lock, and nothing
   * was written.
   */
  const write = (rows: ReadonlyArray<VectorTable.VectorRow>, drops: ReadonlyArray<number>) =>
    Effect.gen(function* () {
      yield* table.refresh
      const [first, last] = boundsOf([...rows.map(({ row }) => row), ...drops])
      const present = new Set(yield* table.rowNumbers(first, last))
      yield* table.drop(drops.filter((row) => present.has(row)))
      const gone = new Set(drops)
      yield* table.add(rows.filter(({ row }) => !present.has(row) || gone.has(row)))
      return true
    }).pipe(
      locked,
      Effect.map((wrote) => wrote !== null)
    )

  const flush = Effect.gen(function* () {
    yield* pending.catchUp
    const { drops, rows } = yield* pending.take
    if (rows.length === 0 && drops.length === 0) return
    if (!(yield* write(rows, drops))) return
    pending.forget(rows, drops)
    // Removes earlier versions of the table, which still contain dropped rows.
    if (drops.length > 0 || (yield* table.parts) > maxParts) yield* locked(table.tidy)
  })

  /** Processes the backlog; false: another process is doing so. Remaining rows are processed at the next attempt. */
  const workOff = Effect.suspend(() => {
    const total = backlog.size
    let done = 0
    let refused = 0
    if (total > 0) onProgress({ done, total })
    return eachMissing((rows) =>
      Effect.gen(function* () {
        if (yield* write(yield* vectors.complete(rows), [])) done += rows.length
        else refused += rows.length
        onProgress({ done, total })
      })
    ).pipe(
      Effect.ensuring(Effect.sync(() => (total > 0 ? onProgress(null) : undefined))),
      Effect.map(() => refused === 0)
    )
  })

  const build = Effect.gen(function* () {
    const { drops } = yield* pending.take
    if (yield* write([], drops)) pending.forget([], drops)
    if (!(yield* workOff)) return
    backlog = new Set()
    yield* flush
    yield* locked(table.tidy)
  })

  const search: OpenIndex["search"] = Effect.fnUntraced(function* (scope, query) {
    yield* pending.catchUp
    const filter = yield* store.numbered(scope, query)
    const [vector] = yield* embedder.embed([query.text])
    if (filter === null || vector.every((x) => x === 0)) return Effect.succeed([])
    yield* pending.embed(Infinity)
    const { limit } = query
    const fresh = pending.similar(vector, filter, limit)
    const stagedMatches = Nearest.nearestRows(yield* vectors.embedStaged(yield* store.staged(scope)), {
      vector,
      filter,
      limit
    })
    const begin = table.search(vector, filter, query.limit)
    // Another process may have removed the version that this process had opened.
    const beginAfterRefresh = Effect.andThen(table.refresh, begin)
    const session = yield* Effect.catchTag(begin, "VectorTableFailed", () => beginAfterRefresh)
    return session.pipe(
      Effect.catchTag("VectorTableFailed", () => Effect.flatten(beginAfterRefresh)),
      Effect.map((stored) => Nearest.merge([...fresh, ...stagedMatches, ...stored], limit))
    )
  })

  pending.dropped(surplus)
  if (missing.size <= promptRows) {
    yield* eachMissing((rows) => Effect.sync(() => pending.add(rows)))
    backlog = new Set()
  }
  return { backlog: () => backlog.size, isDue: () => pending.size() >= worthWriting, search, flush, build }
})

const boundsOf = (rows: ReadonlyArray<number>): readonly [number, number] =>
  rows.reduce<readonly [number, number]>(
    ([first, last], row) => [Math.min(first, row), Math.max(last, row)],
    [Infinity, 0]
  )

/** Finds notes by meaning by comparing all stored vectors, without an index. */
import * as Effect from "effect/Effect"
import * as Nearest from "./Nearest.ts"
import type { OpenIndex, OpenIndexOptions } from "./OpenIndex.ts"
import * as UnindexedRows from "./UnindexedRows.ts"
import * as Vectors from "./Vectors.ts"

/**
 * The time that a search waits for missing vectors. Vectors are stored as they are computed, so the next search
 * continues from there.
 */
const searchMillis = 2000

export interface ExactIndex extends OpenIndex {
  /** The number of compared notes. */
  readonly size: () => number
}

/** Opens the index over the stored vectors. */
export const open = Effect.fnUntraced(function* ({
  embedder,
  onProgress,
  store
}: Pick<OpenIndexOptions, "embedder" | "onProgress" | "store">) {
  const vectors = Vectors.make(store, embedder, yield* embedder.identity)
  const { dropped } = yield* store.counters
  const pending = UnindexedRows.make(store, vectors, { written: 0, dropped })
  yield* pending.catchUp

  const search: OpenIndex["search"] = Effect.fnUntraced(function* (scope, query) {
    yield* pending.catchUp
    const filter = yield* store.numbered(scope, query)
    const [vector] = yield* embedder.embed([query.text])
    if (filter === null || vector.every((x) => x === 0)) return Effect.succeed([])
    yield* pending.embed(searchMillis)
    const stagedVectors = yield* vectors.embedStaged(yield* store.staged(scope))
    return Effect.succeed(
      Nearest.merge(
        [
          ...pending.similar(vector, filter, query.limit),
          ...Nearest.nearestRows(stagedVectors, { vector, filter, limit: query.limit })
        ],
        query.limit
      )
    )
  })

  const flush = Effect.andThen(pending.catchUp, pending.embed(Infinity))

  const build = Effect.gen(function* () {
    yield* pending.catchUp
    const total = pending.withoutVector()
    if (total === 0) return
    let done = 0
    onProgress({ done, total })
    yield* pending
      .embed(Infinity, (rows) => onProgress({ done: Math.min((done += rows), total), total }))
      .pipe(Effect.ensuring(Effect.sync(() => onProgress(null))))
  })

  const index: ExactIndex = {
    size: pending.rows,
    backlog: pending.withoutVector,
    isDue: () => false,
    search,
    flush,
    build
  }
  return index
})

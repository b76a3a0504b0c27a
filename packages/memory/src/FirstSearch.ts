/**
 * Answers the first search of a process from the stored vectors alone. A command searches once and ends: it needs neither an
 * index nor the rows in memory, and reading them would take longer than comparing the vectors.
 */
import type { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Nearest from "./Nearest.ts"
import type { OpenIndexOptions, Query } from "./OpenIndex.ts"
import * as Vectors from "./Vectors.ts"
import type { Similar } from "./VectorTable.ts"

type Parts = Pick<OpenIndexOptions, "embedder" | "store">

const none: ReadonlyArray<Similar> = []

/**
 * Returns the most similar rows, the best first; null: some rows have no vector yet, and only an index can make them.
 */
export const similar = Effect.fnUntraced(function* (
  { embedder, store }: Parts,
  scope: NoteStore.NoteScope,
  query: Query
) {
  const identity = yield* embedder.identity
  const filter = yield* store.numbered(scope, query)
  const [vector] = yield* embedder.embed([query.text])
  if (filter === null || vector.every((x) => x === 0)) return none
  const { withoutVector: bare, rows, vectors } = yield* store.passingVectors(identity.modelId, filter, null)
  if (bare > 0 || vectors.length !== rows.length * identity.dimension) return null
  const { limit } = query
  const stagedVectors = yield* Vectors.embed(embedder, yield* store.staged(scope))
  return Nearest.merge(
    [
      ...Nearest.nearestOf({ rows, vectors }, vector, limit),
      ...Nearest.nearestRows(stagedVectors, { vector, filter, limit })
    ],
    limit
  )
})

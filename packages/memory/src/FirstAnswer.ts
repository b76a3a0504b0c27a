/**
 * Answers the first search of a process without an open index: a small memory from its stored vectors, a large one from
 * the vector file beside its table.
 */
import type { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as FirstSearch from "./FirstSearch.ts"
import * as IndexChoice from "./IndexChoice.ts"
import type * as OpenIndex from "./OpenIndex.ts"
import * as PackedIndex from "./PackedIndex.ts"
import type { Similar } from "./VectorTable.ts"

export interface FirstAnswer {
  /** Returns the rows of the first search; null: only an index can answer it, or it was not the first search. */
  readonly take: (
    scope: NoteStore.NoteScope,
    query: OpenIndex.Query
  ) => Effect.Effect<ReadonlyArray<Similar> | null, OpenIndex.IndexFailed>
  readonly hasSearched: () => boolean
  /** Returns true if the search has found the vector file of a large memory out of date. */
  readonly isFileStale: () => boolean
}

type Options = Pick<IndexChoice.IndexChoiceOptions, "directory" | "embedder" | "largestExact" | "store">

export const make = (options: Options): FirstAnswer => {
  const { directory, largestExact, store } = options
  let hasSearched = false
  let isFileStale = false
  return {
    take: Effect.fnUntraced(function* (scope, query) {
      if (hasSearched) return null
      hasSearched = true
      const { dropped, written } = yield* store.counters
      const notes = written - dropped
      if (notes <= largestExact && !IndexChoice.hasTable(directory)) {
        return yield* FirstSearch.similar(options, scope, query)
      }
      // A memory that has become small loses its table.
      if (IndexChoice.isSmallAgain(notes, largestExact)) return null
      const packed = yield* PackedIndex.similar(options, scope, query)
      isFileStale = packed?.isStale === true
      return packed?.rows ?? null
    }),
    hasSearched: () => hasSearched,
    isFileStale: () => isFileStale
  }
}

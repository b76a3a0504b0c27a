/**
 * Chooses the index that answers searches: the comparison of all vectors, or the table of a large memory once it is
 * complete. Its effects run one at a time, under the caller's lock.
 */
import type { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { existsSync } from "node:fs"
import type { Embedder } from "./Embedder.ts"
import * as ExactIndex from "./ExactIndex.ts"
import * as OpenIndex from "./OpenIndex.ts"
import * as PackedIndex from "./PackedIndex.ts"
import * as VectorTable from "./VectorTable.ts"

export interface IndexChoiceOptions {
  readonly directory: string
  readonly embedder: Embedder
  readonly store: NoteStore.NoteStore["Service"]
  readonly onProgress: OpenIndex.Progress
  readonly library: string | null
  /** The maximum number of notes that are compared one by one; for more, a table is made. */
  readonly largestExact: number
}

export interface IndexChoice {
  /** The index that can be searched now; null: `choose` has to open one. */
  readonly current: () => OpenIndex.OpenIndex | null
  /** Any open index, complete or not; null: none is open. */
  readonly opened: () => OpenIndex.OpenIndex | null
  /** Returns the index that can be searched now. An unreadable table is removed. */
  readonly choose: Effect.Effect<OpenIndex.OpenIndex, OpenIndex.IndexFailed>
  /** Returns true if a table should be built or completed. */
  readonly isTableDue: () => boolean
  /** Completes the table, which then replaces the comparison of all vectors. */
  readonly buildTable: Effect.Effect<void, OpenIndex.IndexFailed>
  readonly dropTable: Effect.Effect<void, VectorTable.VectorTableFailed>
  /** Removes the table and closes every index. */
  readonly clear: Effect.Effect<void, VectorTable.VectorTableFailed>
  /** Returns true if the first search of the next process needs the vector file. */
  readonly usesVectorFile: () => boolean
}

/**
 * The table is dropped only below this fraction of the size at which it is built, so that a memory near the limit does
 * not rebuild it repeatedly.
 */
const keptDownTo = 3 / 4

/** Returns true if the memory is small enough to lose an existing table. */
export const isSmallAgain = (notes: number, largestExact: number): boolean => notes <= largestExact * keptDownTo

export const hasTable = (directory: string): boolean => existsSync(OpenIndex.tablesIn(directory))

export const make = (options: IndexChoiceOptions): IndexChoice => {
  const { directory, embedder, largestExact, library, onProgress, store } = options
  let exact: ExactIndex.ExactIndex | null = null
  let table: OpenIndex.OpenIndex | null = null
  /** True once it is known whether a table is needed. */
  let hasLooked = false
  /** False once it is known that no table can be opened, because its library is not installed or does not load. */
  let canOpenTable = true

  const completeTable = (): OpenIndex.OpenIndex | null => (table?.backlog() === 0 ? table : null)

  /** Null: the library is not installed. */
  const openTable = Effect.gen(function* () {
    canOpenTable = Exit.isSuccess(yield* Effect.exit(VectorTable.load(library)))
    if (!canOpenTable) return null
    return (table = yield* OpenIndex.open({ directory, embedder, library, store, onProgress }))
  })

  const openExact = Effect.gen(function* () {
    return (exact ??= yield* ExactIndex.open({ embedder, onProgress, store }))
  })

  const dropTable = Effect.andThen(
    Effect.sync(() => (table = null)),
    Effect.andThen(PackedIndex.clear(directory), OpenIndex.clear(directory))
  )

  /** Opens the existing table if the memory is still large enough, else removes it. */
  const look = Effect.gen(function* () {
    const notes = (yield* store.rowNumbers).length
    const tableExists = hasTable(directory)
    const needsTable = tableExists ? !isSmallAgain(notes, largestExact) : notes > largestExact
    if (needsTable) yield* openTable
    else if (tableExists) yield* Effect.ignore(dropTable)
    hasLooked = true
  })

  const isLarge = (): boolean => exact === null || exact.size() > largestExact

  return {
    current: () => (hasLooked ? (completeTable() ?? exact) : exact),
    opened: () => exact ?? table,
    choose: Effect.gen(function* () {
      if (!hasLooked) yield* Effect.catchTag(look, "VectorTableFailed", () => Effect.ignore(dropTable))
      return completeTable() ?? (yield* openExact)
    }),
    isTableDue: () => exact !== null && canOpenTable && (isLarge() || table !== null),
    buildTable: Effect.gen(function* () {
      const opened = table ?? (yield* openTable)
      if (opened === null) return
      if (opened.backlog() > 0) yield* opened.build
      if (opened.backlog() === 0) exact = null
    }),
    dropTable,
    clear: Effect.andThen(
      dropTable,
      Effect.sync(() => {
        exact = null
      })
    ),
    usesVectorFile: () => isLarge() || table !== null
  }
}

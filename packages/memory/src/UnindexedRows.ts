/** Note rows in memory that are compared one by one: all rows, or those that the table lacks. */
import type { NoteStore } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { EmbeddingFailed } from "./Embedder.ts"
import * as Nearest from "./Nearest.ts"
import * as Vectors from "./Vectors.ts"
import type { Similar, VectorRow } from "./VectorTable.ts"

interface Counters {
  readonly written: number
  readonly dropped: number
}

type IndexFailure = NoteStore.NoteStoreFailed | EmbeddingFailed

export interface PendingRows {
  /** The number of rows to add or remove in the table. */
  readonly size: () => number
  readonly rows: () => number
  /** The number of rows without a vector. */
  readonly withoutVector: () => number
  /** True for a row that was dropped since the counters at the start. */
  readonly isDropped: (row: number) => boolean
  readonly add: (rows: ReadonlyArray<NoteStore.EmbeddedRow>) => void
  readonly dropped: (rows: ReadonlyArray<number>) => void
  /** Reads the rows that any process wrote or dropped since the last call. */
  readonly catchUp: Effect.Effect<void, NoteStore.NoteStoreFailed>
  /** Embeds rows without a vector, the newest first, until the time is over; `done` is called with their number. */
  readonly embed: (millis: number, done?: (rows: number) => void) => Effect.Effect<void, EmbeddingFailed>
  /** Returns all rows with vectors; they stay until they are removed. */
  readonly take: Effect.Effect<
    { readonly rows: ReadonlyArray<VectorRow>; readonly drops: ReadonlyArray<number> },
    IndexFailure
  >
  readonly forget: (rows: ReadonlyArray<VectorRow>, drops: ReadonlyArray<number>) => void
  /** Returns the rows that pass the filter and have a vector, the most similar first. */
  readonly similar: (vector: Float32Array, filter: NoteStore.NumberedFilter, limit: number) => ReadonlyArray<Similar>
}

const pageRows = 1000
/** The number of rows that are embedded at once; each batch is stored. */
const sliceRows = 512

/** `start`: the counters before the rows were compared. */
export const make = (store: NoteStore.NoteStore["Service"], vectors: Vectors.Vectors, start: Counters): PendingRows => {
  const rowsWithoutVector = new Map<number, NoteStore.EmbeddedRow>()
  const rows = new Map<number, VectorRow>()
  const drops = new Set<number>()
  let seen = start

  const add: PendingRows["add"] = (newRows) => {
    for (const row of newRows) {
      if (Vectors.hasVector(row)) rows.set(row.row, row)
      else rowsWithoutVector.set(row.row, row)
    }
  }
  const dropped: PendingRows["dropped"] = (newRows) => {
    for (const row of newRows) {
      rowsWithoutVector.delete(row)
      rows.delete(row)
      drops.add(row)
    }
  }

  const embed: PendingRows["embed"] = Effect.fnUntraced(function* (millis, done = () => {}) {
    const end = (yield* Clock.currentTimeMillis) + millis
    while (rowsWithoutVector.size > 0 && (yield* Clock.currentTimeMillis) < end) {
      const slice = [...rowsWithoutVector.values()].slice(-sliceRows)
      const vectorsOfSlice = yield* vectors.complete(slice)
      // Rows that were dropped in the meantime are skipped.
      for (const row of vectorsOfSlice) if (rowsWithoutVector.delete(row.row)) rows.set(row.row, row)
      done(vectorsOfSlice.length)
    }
  })

  const catchUp = Effect.gen(function* () {
    const now = yield* store.counters
    let after = seen.written
    while (after < now.written) {
      const page = yield* vectors.page({ after, limit: pageRows })
      add(page)
      after = page.length < pageRows ? now.written : page[page.length - 1].row
    }
    let gone = seen.dropped
    while (gone < now.dropped) {
      const page = yield* store.drops(gone, pageRows)
      dropped(page)
      gone = page.length < pageRows ? now.dropped : gone + page.length
    }
    seen = now
  })

  return {
    size: () => rowsWithoutVector.size + rows.size + drops.size,
    rows: () => rowsWithoutVector.size + rows.size,
    withoutVector: () => rowsWithoutVector.size,
    isDropped: (row) => drops.has(row),
    add,
    dropped,
    catchUp,
    embed,
    take: Effect.map(embed(Infinity), () => ({ rows: [...rows.values()], drops: [...drops] })),
    forget: (written, gone) => {
      for (const { row } of written) rows.delete(row)
      for (const row of gone) drops.delete(row)
    },
    similar: (vector, filter, limit) => Nearest.nearestRows(rows.values(), { vector, filter, limit })
  }
}

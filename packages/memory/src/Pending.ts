/** What the database holds and the table does not yet: few rows, compared one by one, and rows that are gone. */
import type { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { Embedder, EmbeddingFailed } from "./Embedder.ts"
import type { Similar, VectorRow } from "./VectorTable.ts"

interface Counters {
  readonly written: number
  readonly dropped: number
}

type Failed = NoteStore.NoteStoreFailed | EmbeddingFailed

export interface Pending {
  readonly size: () => number
  readonly add: (rows: ReadonlyArray<NoteStore.IndexRow>) => void
  readonly dropped: (rows: ReadonlyArray<number>) => void
  /** Takes in what was written and dropped since it last looked, by any process. */
  readonly catchUp: Effect.Effect<void, NoteStore.NoteStoreFailed>
  /** Everything, embedded. It stays until it is forgotten. */
  readonly take: Effect.Effect<
    { readonly rows: ReadonlyArray<VectorRow>; readonly drops: ReadonlyArray<number> },
    Failed
  >
  readonly forget: (rows: ReadonlyArray<VectorRow>, drops: ReadonlyArray<number>) => void
  /** The rows that pass; at most `most` are embedded for it, the newest. */
  readonly similar: (
    vector: Float32Array,
    filter: NoteStore.NumberedFilter,
    most: number
  ) => Effect.Effect<ReadonlyArray<Similar>, Failed>
}

const pageRows = 1000

export const embed = (
  embedder: Embedder,
  rows: ReadonlyArray<NoteStore.IndexRow>
): Effect.Effect<ReadonlyArray<VectorRow>, EmbeddingFailed> =>
  rows.length === 0
    ? Effect.succeed([])
    : Effect.map(embedder.embed(rows.map(({ text }) => text)), (vectors) =>
        rows.map(({ text: _, ...row }, index) => ({ ...row, vector: vectors[index] }))
      )

const dot = (left: Float32Array, right: Float32Array): number => {
  let sum = 0
  for (let index = 0; index < left.length; index++) sum += left[index] * right[index]
  return sum
}

/** The rows that pass the filter, with how similar they are. */
export const nearest = (
  rows: ReadonlyArray<VectorRow>,
  vector: Float32Array,
  { kinds, projects, tags, user }: NoteStore.NumberedFilter
): ReadonlyArray<Similar> =>
  rows
    .filter((row) => row.user === user && (projects === null || projects.includes(row.project)))
    .filter((row) => kinds.includes(row.kind) && tags.every((tag) => row.tags.includes(tag)))
    .map((row) => ({ row: row.row, similarity: dot(row.vector, vector) }))

/** Each row once, the most similar first. */
export const merge = (found: ReadonlyArray<Similar>, limit: number): ReadonlyArray<Similar> => {
  const best = new Map(found.map((similar) => [similar.row, similar]))
  return [...best.values()]
    .toSorted((left, right) => right.similarity - left.similarity || left.row - right.row)
    .slice(0, limit)
}

/** `start`: the counters before the rows were compared. */
export const make = (store: NoteStore.NoteStore["Service"], embedder: Embedder, start: Counters): Pending => {
  const rows = new Map<number, NoteStore.IndexRow>()
  const vectors = new Map<number, VectorRow>()
  const drops = new Set<number>()
  let seen = start

  const add: Pending["add"] = (given) => {
    for (const row of given) rows.set(row.row, row)
  }
  const dropped: Pending["dropped"] = (given) => {
    for (const row of given) {
      rows.delete(row)
      vectors.delete(row)
      drops.add(row)
    }
  }

  /** Of those that are there when it is run. */
  const embedded = (most: number) =>
    Effect.suspend(() => {
      const without = [...rows.values()].filter(({ row }) => !vectors.has(row)).slice(-most)
      return Effect.map(embed(embedder, without), (made) => {
        for (const row of made) if (rows.has(row.row)) vectors.set(row.row, row)
      })
    })

  const catchUp = Effect.gen(function* () {
    const now = yield* store.counters
    let after = seen.written
    while (after < now.written) {
      const page = yield* store.rows(after, pageRows)
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
    size: () => rows.size + drops.size,
    add,
    dropped,
    catchUp,
    take: Effect.map(embedded(Infinity), () => ({ rows: [...vectors.values()], drops: [...drops] })),
    forget: (written, gone) => {
      for (const { row } of written) {
        rows.delete(row)
        vectors.delete(row)
      }
      for (const row of gone) drops.delete(row)
    },
    similar: (vector, filter, most) => Effect.map(embedded(most), () => nearest([...vectors.values()], vector, filter))
  }
}

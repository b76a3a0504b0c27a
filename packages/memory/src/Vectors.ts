/** Vectors of notes: read from the store, or made by the model and then stored. */
import type { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { Embedder, EmbeddingFailed, Identity } from "./Embedder.ts"
import type { VectorRow } from "./VectorTable.ts"

export interface Vectors {
  readonly page: (
    page: NoteStore.Page
  ) => Effect.Effect<ReadonlyArray<NoteStore.EmbeddedRow>, NoteStore.NoteStoreFailed>
  /** Returns the same rows, each with its vector. */
  readonly complete: (
    rows: ReadonlyArray<NoteStore.EmbeddedRow>
  ) => Effect.Effect<ReadonlyArray<VectorRow>, EmbeddingFailed>
  /** Embeds staged rows, whose vectors are not stored. */
  readonly embedStaged: (
    rows: ReadonlyArray<NoteStore.IndexRow>
  ) => Effect.Effect<ReadonlyArray<VectorRow>, EmbeddingFailed>
}

export const embed = (
  embedder: Embedder,
  rows: ReadonlyArray<NoteStore.IndexRow>
): Effect.Effect<ReadonlyArray<VectorRow>, EmbeddingFailed> =>
  rows.length === 0
    ? Effect.succeed([])
    : Effect.map(embedder.embed(rows.map(({ text }) => text)), (vectors) =>
        rows.map(({ kind, project, row, tags, user }, index) => ({
          kind,
          project,
          row,
          tags,
          user,
          vector: vectors[index]
        }))
      )

export const hasVector = (row: NoteStore.EmbeddedRow): row is NoteStore.EmbeddedRow & VectorRow => row.vector !== null

export const make = (store: NoteStore.NoteStore["Service"], embedder: Embedder, { modelId }: Identity): Vectors => ({
  page: (page) => store.vectors(modelId, page),
  complete: Effect.fnUntraced(function* (rows) {
    const vectors = yield* embed(
      embedder,
      rows.filter((row) => !hasVector(row))
    )
    // If vectors cannot be stored, as on a full disk, they are nevertheless compared.
    if (vectors.length > 0) yield* Effect.ignore(store.keepVectors(modelId, vectors))
    return [...rows.filter(hasVector), ...vectors]
  }),
  embedStaged: (rows) => embed(embedder, rows)
})

/**
 * Finds the vectors that are most similar to a given one by comparing all of them: 20,000 vectors of 100 numbers take
 * some milliseconds. Pure.
 */
import type { NoteStore } from "@bough/tool"
import type { Similar, VectorRow } from "./VectorTable.ts"

/**
 * Computes the dot product of a vector with the numbers from `start` on, in four sums, so that the processor can
 * compute them in parallel.
 */
const dotFrom = (numbers: Float32Array, start: number, vector: Float32Array): number => {
  let [a, b, c, d] = [0, 0, 0, 0]
  let index = 0
  for (let at = start; index + 3 < vector.length; index += 4, at += 4) {
    a += numbers[at] * vector[index]
    b += numbers[at + 1] * vector[index + 1]
    c += numbers[at + 2] * vector[index + 2]
    d += numbers[at + 3] * vector[index + 3]
  }
  for (; index < vector.length; index++) a += numbers[start + index] * vector[index]
  return a + b + c + d
}

const passes = (
  { kind, project, tags, user }: VectorRow,
  { kinds, projects, tags: wanted, user: userRow }: NoteStore.NumberedFilter
): boolean =>
  user === userRow &&
  (projects === null || projects.includes(project)) &&
  kinds.includes(kind) &&
  wanted.every((tag) => tags.includes(tag))

interface Query {
  readonly vector: Float32Array
  readonly filter: NoteStore.NumberedFilter
  readonly limit: number
}

/** Returns the most similar rows first; among equals, the newer first. */
export const nearestRows = (rows: Iterable<VectorRow>, { filter, limit, vector }: Query): ReadonlyArray<Similar> => {
  const found: Array<VectorRow> = []
  const similarities: Array<number> = []
  for (const row of rows) {
    if (!passes(row, filter)) continue
    found.push(row)
    similarities.push(dotFrom(row.vector, 0, vector))
  }
  const cutoff = cutoffOf(similarities, limit)
  // Makes objects only for the few rows that can be among the results.
  const likely = found.flatMap(({ row }, index) =>
    similarities[index] >= cutoff ? [{ row, similarity: similarities[index] }] : []
  )
  return nearestFirst(likely, limit)
}

/** The vectors of rows, one after another. */
type JoinedVectors = Pick<NoteStore.PassingVectors, "rows" | "vectors">

/** Returns the rows whose vectors are most similar; of equals, the newer. */
export const nearestOf = (
  { rows, vectors }: JoinedVectors,
  vector: Float32Array,
  limit: number
): ReadonlyArray<Similar> => {
  const similarities = rows.map((_, index) => dotFrom(vectors, index * vector.length, vector))
  const cutoff = cutoffOf(similarities, limit)
  return nearestFirst(
    rows.flatMap((row, index) => (similarities[index] >= cutoff ? [{ row, similarity: similarities[index] }] : [])),
    limit
  )
}

const nearestFirst = (found: ReadonlyArray<Similar>, limit: number): ReadonlyArray<Similar> =>
  found.toSorted((left, right) => right.similarity - left.similarity || right.row - left.row).slice(0, limit)

/** Returns the minimum similarity of the results. Sorting numbers is fast, so most rows are dropped early. */
const cutoffOf = (similarities: ReadonlyArray<number>, limit: number): number =>
  similarities.length <= limit ? -Infinity : Float64Array.from(similarities).toSorted()[similarities.length - limit]

/** Merges results, without repeated rows. */
export const merge = (found: ReadonlyArray<Similar>, limit: number): ReadonlyArray<Similar> =>
  nearestFirst([...new Map(found.map((similar) => [similar.row, similar])).values()], limit)

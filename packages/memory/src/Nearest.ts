/** Finds the vectors most similar to one by comparing all: 20,000 of 100 numbers take some milliseconds. Pure. */
import type { NoteStore } from "@bough/tool"
import type { Similar, VectorRow } from "./VectorTable.ts"

/** Computes the dot product in four sums: the processor need not wait for one before it begins the next. */
const dot = (left: Float32Array, right: Float32Array): number => {
  let [a, b, c, d] = [0, 0, 0, 0]
  let index = 0
  for (; index + 3 < left.length; index += 4) {
    a += left[index] * right[index]
    b += left[index + 1] * right[index + 1]
    c += left[index + 2] * right[index + 2]
    d += left[index + 3] * right[index + 3]
  }
  for (; index < left.length; index++) a += left[index] * right[index]
  return a + b + c + d
}

const passes = (
  { kind, project, tags, user }: VectorRow,
  { kinds, projects, tags: wanted, user: own }: NoteStore.NumberedFilter
): boolean =>
  user === own &&
  (projects === null || projects.includes(project)) &&
  kinds.includes(kind) &&
  wanted.every((tag) => tags.includes(tag))

interface Query {
  readonly vector: Float32Array
  readonly filter: NoteStore.NumberedFilter
  readonly limit: number
}

/** Returns the most similar first; of equals, the newer. */
export const nearestRows = (rows: Iterable<VectorRow>, { filter, limit, vector }: Query): ReadonlyArray<Similar> => {
  const found: Array<VectorRow> = []
  const similarities: Array<number> = []
  for (const row of rows) {
    if (!passes(row, filter)) continue
    found.push(row)
    similarities.push(dot(row.vector, vector))
  }
  const least = leastOf(similarities, limit)
  // Makes objects only for the few rows that can be among the results.
  const likely = found.flatMap(({ row }, index) =>
    similarities[index] >= least ? [{ row, similarity: similarities[index] }] : []
  )
  return sorted(likely, limit)
}

const sorted = (found: ReadonlyArray<Similar>, limit: number): ReadonlyArray<Similar> =>
  found.toSorted((left, right) => right.similarity - left.similarity || right.row - left.row).slice(0, limit)

/** Returns the least similarity that can be among the results: numbers sort fast, so most rows are dropped early. */
const leastOf = (similarities: ReadonlyArray<number>, limit: number): number =>
  similarities.length <= limit ? -Infinity : Float64Array.from(similarities).toSorted()[similarities.length - limit]

/** Merges results; each row comes once. */
export const merge = (found: ReadonlyArray<Similar>, limit: number): ReadonlyArray<Similar> =>
  sorted([...new Map(found.map((similar) => [similar.row, similar])).values()], limit)

/** One ranking out of two. Source: reciprocal rank fusion, Cormack, Clarke & Büttcher, SIGIR 2009. */

export interface Weights {
  readonly words: number
  readonly meaning: number
  /** The larger, the less the first places count; the paper takes 60. */
  readonly smoothing: number
}

/** Chosen on one half of a labelled set, and measured on the other: `bench/src/Recall.ts`. */
export const defaultWeights: Weights = { words: 1, meaning: 1, smoothing: 20 }

export interface Ranked {
  readonly row: number
  readonly score: number
}

/** The best first; of equals the smaller row. Each list names its rows in order, each once. */
export const fuse = (
  words: ReadonlyArray<number>,
  meaning: ReadonlyArray<number>,
  weights: Weights = defaultWeights
): ReadonlyArray<Ranked> => {
  const scores = new Map<number, number>()
  const add = (rows: ReadonlyArray<number>, weight: number): void =>
    rows.forEach((row, rank) => scores.set(row, (scores.get(row) ?? 0) + weight / (weights.smoothing + rank + 1)))
  add(words, weights.words)
  add(meaning, weights.meaning)
  return [...scores]
    .map(([row, score]) => ({ row, score }))
    .toSorted((left, right) => right.score - left.score || left.row - right.row)
}

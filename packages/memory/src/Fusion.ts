/**
 * Merges the rankings by words and by meaning. A note is scored by its likelihood by words, a probability that does not
 * depend on the store, and by its rank by meaning, which is comparable between models (reciprocal rank fusion, Cormack,
 * Clarke & Büttcher, SIGIR 2009). A note with the query's words is therefore not outranked by many notes that are
 * average in both.
 */

export interface Weights {
  readonly words: number
  readonly meaning: number
  /** The larger the value, the less the first ranks count; the paper uses 60. */
  readonly smoothing: number
}

/** Chosen on one half of a labelled set, and measured on the other: `bench/src/Recall.ts`. */
export const defaultWeights: Weights = { words: 1, meaning: 1, smoothing: 20 }

/** The weight of the first rank by meaning, divided by the smoothing, on the scale of likelihood by words. */
const meaningScale = 3

export interface RankedRow {
  readonly row: number
  readonly score: number
}

/**
 * Returns the best rows first; among equals, the row that ranks first by words, then the newer one. `words`: in order,
 * each with its likelihood; `meaning`: rows in order. A row occurs at most once in each list.
 */
export const fuse = (
  words: ReadonlyArray<RankedRow>,
  meaning: ReadonlyArray<number>,
  weights: Weights = defaultWeights
): ReadonlyArray<RankedRow> => {
  const scores = new Map(words.map(({ row, score }) => [row, weights.words * score]))
  meaning.forEach((row, rank) => {
    const share = (weights.meaning * meaningScale) / (weights.smoothing + rank + 1)
    scores.set(row, (scores.get(row) ?? 0) + share)
  })
  const places = new Map(words.map(({ row }, place) => [row, place]))
  const placeOf = (row: number): number => places.get(row) ?? words.length
  return [...scores]
    .map(([row, score]) => ({ row, score }))
    .toSorted(
      (left, right) => right.score - left.score || placeOf(left.row) - placeOf(right.row) || right.row - left.row
    )
}

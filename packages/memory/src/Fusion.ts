/**
 * One ranking of what words and what meaning find. A note counts for how likely its words make it, which is a probability and the same in
 * every store, and for its place in the order of meaning, which is the same for every model (reciprocal rank fusion, Cormack,
 * Clarke & Büttcher, SIGIR 2009). So a note that has what was asked for is not buried by many that are middling in both.
 */

export interface Weights {
  readonly words: number
  readonly meaning: number
  /** The larger, the less the first places count; the paper takes 60. */
  readonly smoothing: number
}

/** Chosen on one half of a labelled set, and measured on the other: `bench/src/Recall.ts`. */
export const defaultWeights: Weights = { words: 1, meaning: 1, smoothing: 20 }

/** The first place in meaning adds this number divided by the smoothing, on the scale of likelihood by words. */
const meaningScale = 3

export interface Ranked {
  readonly row: number
  readonly score: number
}

/**
 * The best first; of equals the one that words rank first, then the newer row. `words`: in order, each with how likely it is;
 * `meaning`: rows in order. Each list names a row once.
 */
export const fuse = (
  words: ReadonlyArray<Ranked>,
  meaning: ReadonlyArray<number>,
  weights: Weights = defaultWeights
): ReadonlyArray<Ranked> => {
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

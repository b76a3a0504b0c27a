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

/** More notes than these are not found by a rare word, but by a common one. */
const mostTelling = 3
/** As many times as what follows; and of BM25 at least what a word of one note in fifty gives. Chosen as the weights are. */
const ahead = 1.25
const leastTelling = 4

/** How many of the first have words so rare that they stand out from the others. */
const telling = (words: ReadonlyArray<Ranked>): number =>
  words
    .slice(0, mostTelling)
    .findLastIndex(({ score }, index) => score >= leastTelling && score >= ahead * (words[index + 1]?.score ?? 0)) + 1

/**
 * The best first; of equals the smaller row. Each list names its rows in order, each once; `words` with their BM25. Notes
 * that stand out by their words count as the first in meaning as well: else many that are middling in both would bury
 * the one that alone has the word which was asked for.
 */
export const fuse = (
  words: ReadonlyArray<Ranked>,
  meaning: ReadonlyArray<number>,
  weights: Weights = defaultWeights
): ReadonlyArray<Ranked> => {
  const share = (weight: number, rank: number): number => weight / (weights.smoothing + rank + 1)
  const scores = new Map(meaning.map((row, rank) => [row, share(weights.meaning, rank)]))
  const first = telling(words)
  words.forEach(({ row }, rank) => {
    const other = rank < first ? share(weights.meaning, 0) : (scores.get(row) ?? 0)
    scores.set(row, other + share(weights.words, rank))
  })
  return [...scores]
    .map(([row, score]) => ({ row, score }))
    .toSorted((left, right) => right.score - left.score || left.row - right.row)
}

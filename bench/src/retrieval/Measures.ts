/** How good a ranking is, for questions that have one right answer. */

export interface Quality {
  readonly recallAt5: number
  readonly reciprocalRank: number
  readonly ndcgAt10: number
}

/** `ranks`: the place of the right answer, 1 for the first; null: it was not found. */
export const of = (ranks: ReadonlyArray<number | null>): Quality => {
  const mean = (score: (rank: number) => number): number =>
    ranks.reduce<number>((sum, rank) => sum + (rank === null ? 0 : score(rank)), 0) / ranks.length
  return {
    recallAt5: mean((rank) => (rank <= 5 ? 1 : 0)),
    reciprocalRank: mean((rank) => 1 / rank),
    ndcgAt10: mean((rank) => (rank <= 10 ? 1 / Math.log2(rank + 1) : 0))
  }
}

/** A seeded random number generator, so that a failure can be reproduced. */
export interface Random {
  /** Returns a number from 0 to 1, without 1. */
  readonly next: () => number
  readonly int: (most: number) => number
  readonly chance: (share: number) => boolean
  readonly pick: <A>(items: ReadonlyArray<A>) => A
}

export const make = (seed: number): Random => {
  let state = seed >>> 0
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (most: number): number => Math.floor(next() * (most + 1))
  return { next, int, chance: (share) => next() < share, pick: (items) => items[int(items.length - 1)] }
}

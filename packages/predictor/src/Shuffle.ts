/** A reproducible order. Pure. */

/** Returns the items in an order that depends only on the seed. */
export const shuffle = <A>(items: ReadonlyArray<A>, seed: number): ReadonlyArray<A> => {
  const result = [...items]
  let state = seed | 0
  for (let last = result.length - 1; last > 0; last--) {
    state = step(state)
    const other = (state >>> 0) % (last + 1)
    ;[result[last], result[other]] = [result[other], result[last]]
  }
  return result
}

/** Calculates the next state of a xorshift generator with 32 bits. The state must not be 0. */
const step = (state: number): number => {
  let next = state === 0 ? 1 : state
  next ^= next << 13
  next ^= next >>> 17
  return next ^ (next << 5)
}

/** The changes that make an index match the live rows. */

export interface Difference {
  /** The rows to add, ascending. */
  readonly missing: ReadonlySet<number>
  /**
   * The rows to remove, ascending: rows that no longer exist, and rows that are stored more than once, which are added
   * again.
   */
  readonly surplus: ReadonlyArray<number>
}

/** `live` is ascending, each row once; `have` is in any order. */
export const difference = (live: Float64Array, have: Float64Array): Difference => {
  const present = have.toSorted()
  const missing = new Set<number>()
  const surplus = new Set<number>()
  let next = 0
  for (const row of live) {
    while (present[next] < row) surplus.add(present[next++])
    const first = next
    while (present[next] === row) next += 1
    if (next - first > 1) surplus.add(row)
    if (next - first !== 1) missing.add(row)
  }
  while (next < present.length) surplus.add(present[next++])
  return { missing, surplus: [...surplus] }
}

/** What an index has to do to hold exactly the live rows. */

export interface Difference {
  readonly missing: ReadonlySet<number>
  /** Gone, or there more than once: then it is added anew. */
  readonly surplus: ReadonlyArray<number>
}

export const difference = (live: Float64Array, have: Float64Array): Difference => {
  const wanted = new Set(live)
  const missing = new Set(live)
  const seen = new Set<number>()
  const surplus = new Set<number>()
  for (const row of have) {
    if (!wanted.has(row) || seen.has(row)) surplus.add(row)
    seen.add(row)
    missing.delete(row)
  }
  for (const row of surplus) if (wanted.has(row)) missing.add(row)
  return { missing, surplus: [...surplus] }
}

/** Scores how well a query matches a path or name that contains the query's letters in order. Pure. */

const boundary = /[/_\-. ]/u

/** The score; null: it does not match. Runs, beginnings of parts, the last part and short names score higher. */
const score = (query: string, candidate: string): number | null => {
  if (query === "") return -candidate.length
  const lowerQuery = query.toLowerCase()
  const text = candidate.toLowerCase()
  const base = text.lastIndexOf("/", text.length - 2) + 1
  const exact = text.indexOf(lowerQuery, base)
  if (exact >= 0)
    return 10_000 + (exact === base ? 5000 : boundary.test(text[exact - 1] ?? "") ? 2000 : 0) - text.length
  const inPath = text.indexOf(lowerQuery)
  if (inPath >= 0) return 6000 + (inPath === 0 || boundary.test(text[inPath - 1] ?? "") ? 1000 : 0) - text.length
  // Searches from the end, because typed text mostly refers to the last part.
  let at = text.length - 1
  let points = 0
  let run = 0
  for (let index = lowerQuery.length - 1; index >= 0; index--) {
    const found = text.lastIndexOf(lowerQuery[index] ?? "", at)
    if (found < 0 || at < 0) return null
    run = found === at && index < lowerQuery.length - 1 ? run + 1 : 0
    points += run * 8 + (found === 0 || boundary.test(text[found - 1] ?? "") ? 20 : 0) + (found >= base ? 5 : 0)
    at = found - 1
  }
  return points - text.length
}

/** Returns the best candidates first, at most `limit`; equal ones keep their order. */
export const best = <A>(
  candidates: Iterable<A>,
  textOf: (candidate: A) => string,
  { limit, query }: { readonly query: string; readonly limit: number }
): ReadonlyArray<A> => {
  const scored: Array<{ readonly candidate: A; readonly points: number }> = []
  for (const candidate of candidates) {
    const points = score(query, textOf(candidate))
    if (points !== null) scored.push({ candidate, points })
  }
  return scored
    .toSorted((left, right) => right.points - left.points)
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}

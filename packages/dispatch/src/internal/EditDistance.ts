/** How far apart two names are, for "did you mean". */

/** Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`. */
export const distance = (a: string, b: string): number => {
  let beforeLast: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current: Array<number> = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let least = Math.min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (same ? 0 : 1))
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        least = Math.min(least, beforeLast[column - 2] + 1)
      }
      current.push(least)
    }
    beforeLast = last
    last = current
  }
  return last[b.length]
}

/** A name that nobody wrote on purpose is not worth comparing. */
const maxLength = 100

/** At most `limit` of `names` that `name` may have been meant for, the nearest first. */
export const nearest = (name: string, names: Iterable<string>, limit: number): ReadonlyArray<string> => {
  if (name === "" || name.length > maxLength) return []
  const wanted = name.toLowerCase()
  return [...names]
    .map((candidate) => ({ candidate, far: farness(wanted, candidate.toLowerCase()) }))
    .filter(({ far }) => far <= Math.max(2, Math.floor(name.length / 3)))
    .toSorted((a, b) => a.far - b.far || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}

/** Words in another order, or some of them left out, are near: "file_read" is meant for "read_file". */
const farness = (a: string, b: string): number => {
  const words = a.split(/[^a-z0-9]+/u).filter((word) => word.length > 2)
  const shared = words.length > 0 && words.every((word) => b.includes(word))
  return shared ? Math.min(2, distance(a, b)) : distance(a, b)
}

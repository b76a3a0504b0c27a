/** Suggestions for "did you mean". */
import { EditDistance } from "@bough/text"

/** The longest name that is compared; a longer one is not a misspelling. */
const maxLength = 100

/** Returns at most `limit` of the `names` that `name` probably misspells, the nearest first. */
export const nearest = (name: string, names: Iterable<string>, limit: number): ReadonlyArray<string> => {
  if (name === "" || name.length > maxLength) return []
  const wanted = name.toLowerCase()
  return [...names]
    .map((candidate) => ({ candidate, far: distanceOf(wanted, candidate.toLowerCase()) }))
    .filter(({ far }) => far <= Math.max(2, Math.floor(name.length / 3)))
    .toSorted((a, b) => a.far - b.far || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}

/**
 * Returns the distance of two names. Names with the same words in another order, or with some of the words, are near:
 * "file_read" is near "read_file".
 */
const distanceOf = (a: string, b: string): number => {
  const words = a.split(/[^a-z0-9]+/u).filter((word) => word.length > 2)
  const shared = words.length > 0 && words.every((word) => b.includes(word))
  return shared ? Math.min(2, EditDistance.distance(a, b)) : EditDistance.distance(a, b)
}

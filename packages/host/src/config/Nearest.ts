/** Finds the known name that is most similar to a misspelled one. Pure. */
import { EditDistance } from "@bough/text"

/** Returns the nearest name; null if no name is similar enough. */
export const nearest = (name: string, known: Iterable<string>): string | null => {
  let best: { readonly name: string; readonly distance: number } | null = null
  for (const candidate of known) {
    const distance = EditDistance.distance(name.toLowerCase(), candidate.toLowerCase())
    if (distance <= Math.max(1, Math.floor(candidate.length / 3)) && distance < (best?.distance ?? Infinity)) {
      best = { name: candidate, distance }
    }
  }
  return best?.name ?? null
}

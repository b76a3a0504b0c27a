/** The known name that somebody most likely meant. Pure. */

/** Null: none is near. */
export const nearest = (name: string, known: Iterable<string>): string | null => {
  let best: { readonly name: string; readonly distance: number } | null = null
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance <= Math.max(1, Math.floor(candidate.length / 3)) && distance < (best?.distance ?? Infinity)) {
      best = { name: candidate, distance }
    }
  }
  return best?.name ?? null
}

/** Insertions, deletions and replacements that turn one into the other. */
const editDistance = (a: string, b: string): number => {
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      current[j] = Math.min(
        previous[j] + 1,
        current[j - 1] + 1,
        previous[j - 1] + (a.charAt(i - 1) === b.charAt(j - 1) ? 0 : 1)
      )
    }
    previous = current
  }
  return previous[b.length]
}

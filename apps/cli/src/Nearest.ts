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

/** Insertions, deletions, replacements and swaps of neighbours that turn one into the other. */
const editDistance = (a: string, b: string): number => {
  let beforeLast: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a.charAt(i - 1) === b.charAt(j - 1)
      const isSwap = i > 1 && j > 1 && a.charAt(i - 1) === b.charAt(j - 2) && a.charAt(i - 2) === b.charAt(j - 1)
      const swapped = isSwap ? beforeLast[j - 2] + 1 : Infinity
      current[j] = Math.min(last[j] + 1, current[j - 1] + 1, last[j - 1] + (isSame ? 0 : 1), swapped)
    }
    beforeLast = last
    last = current
  }
  return last[b.length]
}

/** The texts that were given to a prediction: its input, its instructions, and the addresses that a search found. */
import type { Provenance } from "@bough/dispatch"

export interface GivenText {
  readonly provenance: Provenance.Provenance
  readonly found: (urls: ReadonlyArray<string>) => void
}

/**
 * Tracks provenance: if a text is not part of a given text, the model composed it, and it may contain data that the
 * model read.
 */
export const make = (texts: ReadonlyArray<string>): GivenText => {
  const urls = new Set<string>()
  const holds = (text: string) => texts.some((source) => source.includes(text))
  return {
    found: (found) => found.forEach((url) => urls.add(url)),
    provenance: {
      isGivenAddress: (url) => urls.has(url) || holds(url),
      isAgreedHost: () => false,
      isGivenText: holds,
      sourcesOf: () => ""
    }
  }
}

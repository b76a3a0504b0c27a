/** Splits text into graphemes, which readers perceive as characters. Pure. */

/**
 * Matches text in which every character is a grapheme: Latin, Greek, Cyrillic, kana, Han, Hangul, full width, signs.
 */
const lone =
  // oxlint-disable-next-line no-control-regex -- a control character is always by itself, but for a carriage return before a line feed
  /^[\u0000-\u000C\u000E-~\u00A1-\u00A8\u00AA-\u00AC\u00AF-\u02FF\u0391-\u03C9\u0410-\u044F\u2010-\u2027\u2030-\u203B\u2190-\u2193\u2500-\u257F\u2581-\u258F\u25B2-\u25B5\u25B8\u25B9\u2713\u2717\u2800-\u28FF\u3001-\u3003\u3041-\u3096\u30A1-\u30FA\u4E00-\u9FFF\uAC00-\uD7A3\uFF01-\uFF5E]*$/

let cachedSegmenter: Intl.Segmenter | null = null

/** Created for the first text that needs it: this takes 10 ms, and the first screen does not need it. */
const segmenter = (): Intl.Segmenter => (cachedSegmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" }))

export const graphemes = (text: string): ReadonlyArray<string> =>
  lone.test(text) ? text.split("") : Array.from(segmenter().segment(text), ({ segment }) => segment)

export interface Grapheme {
  readonly segment: string
  /** The start position in UTF-16 units. */
  readonly index: number
}

/** Returns the grapheme at a position; null: the text ends before it. */
export const graphemeAt = (text: string, at: number): Grapheme | null => {
  if (at >= text.length) return null
  return lone.test(text) ? { segment: text.charAt(at), index: at } : (segmenter().segment(text).containing(at) ?? null)
}

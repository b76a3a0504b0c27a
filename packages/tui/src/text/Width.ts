/**
 * The cells of text in a terminal, never fewer than any terminal draws: the sum over its code points, regardless of
 * clusters. Pure.
 */
import { graphemes } from "./graphemes.ts"

/** Matches text of one cell per character: ASCII, and the program's own signs. */
const plain = /^[ -~·–—…→›│┌└├─✓✗✎“”▸▏█░⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]*$/u

/** Colours and links, the only escape sequences in safe text. */
// oxlint-disable-next-line no-control-regex -- the first character of a sequence
const colours = /\u001B\[[0-9;]*m|\u001B\]8;;[!-~]*?\u001B\\/gu

export const withoutColours = (text: string): string => (text.includes("\u001B") ? text.replaceAll(colours, "") : text)

export const cells = (text: string): number => {
  const shown = withoutColours(text)
  if (plain.test(shown)) return shown.length
  let sum = 0
  for (const character of shown) sum += cellsOf(character)
  return sum
}

/** Caches widths by character. */
const known = new Map<string, number>()
const maxKnown = 10_000

/** Returns the cells of one code point. */
export const cellsOf = (character: string): number => {
  if (character >= " " && character <= "~") return 1
  const found = known.get(character)
  if (found !== undefined) return found
  if (known.size >= maxKnown) known.clear()
  const measured = plain.test(character) ? 1 : isMark(character) ? 0 : wide().test(character) ? 2 : 1
  known.set(character, measured)
  return measured
}

const mark = (): RegExp => /^[\p{Mn}\p{Me}]$/u
/**
 * Matches marks of Unicode 10 or later, which terminals with older tables draw in one cell each, and the keycap, which
 * widens a digit.
 */
const young: ReadonlyArray<readonly [from: number, to: number]> = [
  [0x7fd, 0x7fd],
  [0x897, 0x89f],
  [0x8ca, 0x8d3],
  [0x9fe, 0x9fe],
  [0xafa, 0xaff],
  [0xb55, 0xb55],
  [0xc04, 0xc04],
  [0xc3c, 0xc3c],
  [0xd00, 0xd00],
  [0xd3b, 0xd3b],
  [0xd3c, 0xd3c],
  [0xeba, 0xeba],
  [0xece, 0xece],
  [0x1abf, 0x1aff],
  [0x1df6, 0x1dfa],
  [0x20e3, 0x20e3],
  [0xa82c, 0xa82c],
  [0xa8ff, 0xa8ff],
  [0x10000, 0x10ffff]
]

/** True for a mark that every terminal draws on the letter before it. */
const isMark = (character: string): boolean => {
  if (!mark().test(character)) return false
  const code = character.codePointAt(0) ?? 0
  return !young.some(([from, to]) => from <= code && code <= to)
}

/**
 * Matches characters that are wide or full width in any version of Unicode, in slightly too large ranges, and
 * characters that some terminals draw wide: pictographs, halves of flags, skins of emoji, and private or unassigned
 * ones.
 */
const wide = (): RegExp =>
  /^[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}\p{Cn}\p{Co}\u{1100}-\u{115F}\u{2329}\u{232A}\u{2630}-\u{2637}\u{268A}-\u{268F}\u{2E80}-\u{303E}\u{3041}-\u{A4CF}\u{A960}-\u{A97C}\u{AC00}-\u{D7A3}\u{F900}-\u{FAFF}\u{FE10}-\u{FE19}\u{FE30}-\u{FE6F}\u{FF01}-\u{FF60}\u{FFE0}-\u{FFE6}\u{16FE0}-\u{18DFF}\u{1AFF0}-\u{1B2FF}\u{1D300}-\u{1D376}\u{1F000}-\u{1FAFF}\u{20000}-\u{3FFFD}]$/u

/** The maximum number of code points of a cluster that is not split. */
const maxTogether = 4

/**
 * Splits text into the pieces between which it may be broken: clusters, and the code points of clusters that are long
 * or wider than `most` cells. The text contains no colours.
 */
export const units = (text: string, maxCells: number): ReadonlyArray<string> =>
  plain.test(text)
    ? text.split("")
    : graphemes(text).flatMap((grapheme) => {
        const points = Array.from(grapheme)
        return points.length <= maxTogether && cells(grapheme) <= maxCells ? [grapheme] : points
      })

/**
 * The cells in which most terminals draw text, which the editor's cursor uses. `Width.cells` is the other measure: the
 * maximum that any terminal draws. Pure.
 */
import { eastAsianWidth } from "get-east-asian-width"
import { graphemes } from "./graphemes.ts"
import { withoutColours } from "./Width.ts"

/** Matches characters of one cell each: ASCII, Latin letters, and the signs of the program. */
const narrow =
  /^[ -~\u00A1-\u00A8\u00AB\u00AC\u00AF-\u02FF\u2010-\u2027\u2030-\u203B\u2190-\u2193\u2500-\u257F\u2581-\u258F\u25B2-\u25B5\u25B8\u25B9\u2713\u2717\u2800-\u28FF]*$/

export const drawnCells = (text: string): number => {
  const shown = withoutColours(text)
  return narrow.test(shown) ? shown.length : graphemes(shown).reduce((sum, grapheme) => sum + cellsOf(grapheme), 0)
}

/** Compiled for the first text with wide characters: an expression for all emoji takes 15 ms to compile. */
let expressions: { readonly emoji: RegExp; readonly zero: RegExp } | null = null
const compile = (): NonNullable<typeof expressions> =>
  (expressions ??= {
    // A keycap also counts without its selector, because the selector is not printed.
    emoji: /^(?:\p{RGI_Emoji}|[\d#*]\u20E3)$/v,
    zero: /[\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Nonspacing_Mark}\p{Enclosing_Mark}\p{Surrogate}]/v
  })

/**
 * Matches characters after the first one of a grapheme that take their own cells: marks beside a letter, half and full
 * widths, syllables.
 */
const uncertainWidth = /[\p{Spacing_Mark}\uFF00-\uFFEF\u1100-\u115F\uA960-\uA97C\uAC00-\uD7A3]/u

const cellsOf = (grapheme: string): number => {
  const { emoji, zero } = compile()
  if (emoji.test(grapheme)) return 2
  let sum = 0
  for (const character of grapheme) {
    if (zero.test(character) || (sum > 0 && !uncertainWidth.test(character))) continue
    sum += eastAsianWidth(character.codePointAt(0) ?? 0)
  }
  return sum
}

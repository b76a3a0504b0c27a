/**
 * Text that may be sent to a terminal: literals of the program, text that `Escape` has escaped, styles around either,
 * and their combinations. All printing functions take this type, so that printing unescaped text does not compile.
 */

declare const safe: unique symbol

export type SafeText = string & { readonly [safe]: true }

/** A union of literals, without patterns such as `a${string}`: only the program itself can contain such text. */
type Literal<Text extends string> = {} extends Readonly<Record<Text, 1>> ? never : Text

type Placeholder<Given> = Given extends SafeText | number
  ? Given
  : Given extends string
    ? [Literal<Given>] extends [never]
      ? "text from outside: escape it with Escape.line or Escape.text"
      : Given
    : "neither text nor a number"

/**
 * Makes safe text from a template of the program. The template accepts safe text, literals and numbers; anything else
 * does not compile.
 */
export const text = <const Given extends ReadonlyArray<unknown>>(
  words: TemplateStringsArray,
  ...holes: { [At in keyof Given]: Placeholder<Given[At]> }
): SafeText =>
  unchecked(words.reduce((joined, word, at) => `${joined}${String((holes as ReadonlyArray<unknown>)[at - 1])}${word}`))

/**
 * Marks text as safe without a check, for the few modules that make safe text: escaping, styles, layout. A test lists them
 * all.
 */
export const unchecked = (checked: string): SafeText => checked as SafeText

export const join = (parts: ReadonlyArray<SafeText>, separator: SafeText = empty): SafeText =>
  unchecked(parts.join(separator))

export const lines = (safe: SafeText): ReadonlyArray<SafeText> => safe.split("\n").map(unchecked)

export const repeat = (part: SafeText, times: number): SafeText => unchecked(part.repeat(times))

/** Formats a number with the given number of digits after the decimal point. */
export const decimal = (number: number, digits: number): SafeText => unchecked(number.toFixed(digits))

export const blanks = (count: number): SafeText => unchecked(" ".repeat(count))

export const trimEnd = (padded: SafeText): SafeText => unchecked(padded.trimEnd())

export const empty: SafeText = "" as SafeText

/** Writes to a terminal. No other module calls `write` on a terminal's stream. */
export const write = (stream: NodeJS.WritableStream, shown: SafeText): void => void stream.write(shown)

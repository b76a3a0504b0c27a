/** Lines of code as rows in the colours of a theme. Everything is escaped here. */
import * as Escape from "../text/Escape.ts"
import type { RowContext } from "../text/RowContext.ts"
import * as Rows from "../text/Rows.ts"
import { join, type SafeText } from "../text/SafeText.ts"
import { type Paint, noPaint } from "../theme/Style.ts"
import type { Theme } from "../theme/Theme.ts"
import * as Highlight from "./Highlight.ts"
import type { Language } from "./Languages.ts"

/** Returns rows of code that begin in the first column, so that a selection can be pasted. */
export const rows = (code: string, language: Language | null, context: RowContext): ReadonlyArray<SafeText> => {
  const lines = paintedLines(code, language, context.theme)
  if (lines !== null) return lines.flatMap((line) => Rows.breakHard(line, context.columns))
  return Rows.breakHard(Escape.text(code), context.columns).map((row) => context.theme.code(row))
}

/** Returns one text for each line of the code; null: the code has a single colour. */
export const paintedLines = (code: string, language: Language | null, theme: Theme): ReadonlyArray<SafeText> | null => {
  const lines = language === null || theme.syntax === null ? null : Highlight.lines(code, language)
  return lines?.map((spans) => paintSpans(spans, theme)) ?? null
}

/** Ranges of a line, and the paint that replaces the colours of the language there. */
export interface Marks {
  readonly ranges: ReadonlyArray<readonly [start: number, end: number]>
  readonly paint: Paint
  /** The paint of text without its own colour. */
  readonly ground: Paint
  /** Makes the text safe; default `Escape.text`. */
  readonly escape?: (untrusted: string) => SafeText
}

/** Returns one line in the colours of a theme, except for marked parts. */
export const paintSpans = (
  spans: ReadonlyArray<Highlight.Span>,
  theme: Theme,
  { escape = Escape.text, ground, paint, ranges }: Marks = { ranges: [], paint: theme.inverse, ground: noPaint }
): SafeText => {
  let at = 0
  return join(
    spans.flatMap(({ kind, text }) => {
      const start = at
      at += text.length
      return cutAt(text, start, ranges).map(([part, isMarked]) => {
        const escaped = escape(part)
        if (isMarked) return paint(escaped)
        return kind === null || theme.syntax === null ? ground(escaped) : theme.syntax[kind](escaped)
      })
    })
  )
}

/** Splits a text that begins at `start` of its line into parts inside and outside of the ranges. */
const cutAt = (
  text: string,
  start: number,
  ranges: ReadonlyArray<readonly [start: number, end: number]>
): ReadonlyArray<readonly [part: string, isInside: boolean]> => {
  const cuts = ranges.flat().map((place) => place - start)
  const offsets = [0, ...cuts.filter((place) => place > 0 && place < text.length), text.length]
  return offsets.slice(1).flatMap((end, index) => {
    const begin = offsets[index]
    const isInside = ranges.some(([from, to]) => from <= start + begin && start + end <= to)
    return begin === end ? [] : [[text.slice(begin, end), isInside] as const]
  })
}

/** Renders a unified diff: line numbers, signs, the colours of the language, and marked words. All text is escaped here. */
import * as CodeRows from "../code/CodeRows.ts"
import * as Highlight from "../code/Highlight.ts"
import type { Language } from "../code/Languages.ts"
import * as Escape from "../text/Escape.ts"
import type { RowContext } from "../text/RowContext.ts"
import * as Rows from "../text/Rows.ts"
import { blanks, type SafeText, text as safe } from "../text/SafeText.ts"
import { type Paint, noPaint } from "../theme/Style.ts"
import type { Theme } from "../theme/Theme.ts"
import * as UnifiedDiff from "./UnifiedDiff.ts"

/** The rows of each line of a diff. */
export const rows = (
  diff: string,
  language: Language | null,
  context: RowContext
): ReadonlyArray<ReadonlyArray<SafeText>> => {
  const lines = UnifiedDiff.read(diff)
  const width = Math.max(1, ...lines.map((line) => ("number" in line ? String(line.number).length : 0)))
  const spans = language === null ? null : spansOf(lines, language)
  return lines.map((line, at) => lineRows(line, { ...context, width, spans: spans?.get(at) ?? null }))
}

/**
 * Paints each line of a diff without any other change: no line, sign or number is added or removed, because the user's
 * decision depends on the diff. `escape` makes the text safe.
 */
export const paintedLines = (
  diff: string,
  language: Language | null,
  { escape, theme }: { readonly theme: Theme; readonly escape: (untrusted: string) => SafeText }
): ReadonlyArray<SafeText> => {
  const lines = UnifiedDiff.readRaw(diff)
  const spans = language === null ? null : spansOf(lines, language)
  return lines.map((line, at) => {
    if (line._tag === "Head") return theme.dim(escape(line.text))
    if (line._tag === "Other") return theme.bold(escape(line.text))
    // A line without a sign may be an empty unchanged line. It is shown as it is.
    const sign = line.text === "" && line._tag === "Same" ? diff.split("\n")[at] : signs[line._tag]
    return groundOf(
      line,
      theme
    )(safe`${paintOf(line, theme)(escape(sign))}${bodyOf(line, spans?.get(at) ?? null, { theme, escape })}`)
  })
}

type Spans = ReadonlyArray<Highlight.Span>

/** Highlights the lines of the new file together, since a string or a comment may span several lines. */
const spansOf = (
  lines: ReadonlyArray<UnifiedDiff.Line | UnifiedDiff.RawLine>,
  language: Language
): ReadonlyMap<number, Spans> | null => {
  const newLines = lines.flatMap((line, at) => (line._tag === "Same" || line._tag === "Added" ? [{ at, line }] : []))
  const spans = Highlight.lines(newLines.map(({ line }) => line.text).join("\n"), language)
  return spans === null ? null : new Map(newLines.map(({ at }, index) => [at, spans[index] ?? []]))
}

interface LineContext extends RowContext {
  /** The width of the line numbers in cells. */
  readonly width: number
  readonly spans: Spans | null
}

const lineRows = (line: UnifiedDiff.Line, { columns, spans, theme, width }: LineContext): ReadonlyArray<SafeText> => {
  if (line._tag === "Gap") return [theme.dim(safe`${blanks(width)} ⋯`)]
  if (line._tag === "Other") return Rows.breakHard(theme.bold(Escape.text(line.text)), columns)
  const sign = signs[line._tag]
  const paint = line._tag === "Removed" ? theme.red : line._tag === "Added" ? theme.green : theme.dim
  const lead = paint(safe`${Rows.pad(safe`${line.number}`, width, "right")} ${sign}`)
  const broken = Rows.breakHard(bodyOf(line, spans, { theme, escape: Escape.text }), Math.max(2, columns - width - 2))
  return Rows.indent(broken, lead, blanks(width + 2)).map(groundOf(line, theme))
}

const signs = { Same: " ", Removed: "-", Added: "+" } as const

const paintOf = ({ _tag }: UnifiedDiff.DiffLine, theme: Theme): Paint =>
  _tag === "Removed" ? theme.red : _tag === "Added" ? theme.green : noPaint

const groundOf = ({ _tag }: UnifiedDiff.DiffLine, theme: Theme): Paint =>
  _tag === "Removed" ? theme.removedLine : _tag === "Added" ? theme.addedLine : noPaint

const bodyOf = (
  line: UnifiedDiff.DiffLine,
  spans: Spans | null,
  { escape, theme }: { readonly theme: Theme; readonly escape: (untrusted: string) => SafeText }
): SafeText => {
  const paint = paintOf(line, theme)
  // All changed words have one colour, because the inverted colours of the language would be hard to read.
  const marks = {
    ranges: line.changed,
    paint: (words: SafeText) => theme.inverse(paint(words)),
    ground: noPaint,
    escape
  }
  if (spans !== null && theme.syntax !== null) return CodeRows.paintSpans(spans, theme, marks)
  return CodeRows.paintSpans([{ kind: null, text: line.text }], theme, { ...marks, ground: paint })
}

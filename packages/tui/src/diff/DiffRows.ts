/** Renders a unified diff: line numbers, signs, the colours of the language, and marked words. All text is escaped here. */
import * as CodeRows from "../code/CodeRows.ts"
import * as Highlight from "../code/Highlight.ts"
import type { Language } from "../code/Languages.ts"
import * as Escape from "../text/Escape.ts"
import type { RowContext } from "../text/RowContext.ts"
import * as Rows from "../text/Rows.ts"
import { blanks, type SafeText, text as safe } from "../text/SafeText.ts"
import { unpainted } from "../theme/Style.ts"
import type { Theme } from "../theme/Theme.ts"
import * as UnifiedDiff from "./UnifiedDiff.ts"

/** The rows of each line of a diff. */
export const rows = (
  diff: string,
  language: Language | null,
  place: RowContext
): ReadonlyArray<ReadonlyArray<SafeText>> => {
  const lines = UnifiedDiff.read(diff)
  const width = Math.max(1, ...lines.map((line) => ("number" in line ? String(line.number).length : 0)))
  const spans = language === null ? null : spansOf(lines, language)
  return lines.map((line, at) => lineRows(line, { ...place, width, spans: spans?.get(at) ?? null }))
}

type Spans = ReadonlyArray<Highlight.Span>

/** Highlights the lines of the new file together, since a string or a comment may span several lines. */
const spansOf = (lines: ReadonlyArray<UnifiedDiff.Line>, language: Language): ReadonlyMap<number, Spans> | null => {
  const places = lines.flatMap((line, at) => (line._tag === "Same" || line._tag === "Added" ? [{ at, line }] : []))
  const spans = Highlight.lines(places.map(({ line }) => line.text).join("\n"), language)
  return spans === null ? null : new Map(places.map(({ at }, index) => [at, spans[index] ?? []]))
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
  const broken = Rows.breakHard(bodyOf(line, spans, theme), Math.max(2, columns - width - 2))
  return Rows.indent(broken, lead, blanks(width + 2))
}

const signs = { Same: " ", Removed: "-", Added: "+" } as const

const bodyOf = (line: UnifiedDiff.DiffLine, spans: Spans | null, theme: Theme): SafeText => {
  const paint = line._tag === "Removed" ? theme.red : line._tag === "Added" ? theme.green : unpainted
  // One colour for all words that differ: those of the language, inverted, would be a patchwork.
  const marks = { ranges: line.changed, paint: (words: SafeText) => theme.inverse(paint(words)), ground: unpainted }
  if (spans !== null && theme.syntax !== null) return CodeRows.painted(spans, theme, marks)
  return CodeRows.painted([{ kind: null, text: line.text }], theme, { ...marks, ground: paint })
}

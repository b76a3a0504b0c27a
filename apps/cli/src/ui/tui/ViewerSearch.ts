/**
 * Finds a text in the rows of a full-screen transcript and marks it; a match may span rows. Capital letters in the text
 * make the search distinguish case. Pure.
 */
import * as Rows from "@bough/tui/text/Rows"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import * as StyledText from "@bough/tui/text/StyledText"
import type { Theme } from "@bough/tui/theme/Theme"

/** The part of a match in one row, in UTF-16 units of its plain text. */
interface Segment {
  readonly row: number
  readonly from: number
  readonly to: number
}

/** A match, in one segment or more. */
export type Match = readonly [Segment, ...ReadonlyArray<Segment>]

/** The text of a search. `at`: the match that is shown; null: there is none. */
export interface Search {
  readonly wanted: string
  readonly at: { readonly block: number; readonly index: number } | null
}

interface BlockMatches {
  readonly key: string
  readonly matches: ReadonlyArray<Match>
}

/** The last matches that were found in the rows of a block. */
const lastMatches = new WeakMap<ReadonlyArray<SafeText>, BlockMatches>()

/** Finds the matches in the rows of a block, in their order. */
export const matchesIn = (rows: ReadonlyArray<SafeText>, wanted: string, columns: number): ReadonlyArray<Match> => {
  const key = `${columns} ${wanted}`
  const known = lastMatches.get(rows)
  if (known?.key === key) return known.matches
  const matches = search(rows, wanted, columns)
  lastMatches.set(rows, { key, matches })
  return matches
}

/** The separator between a full row and the next one, where a long word may have been broken. */
const broken = "\u0000"
const lead = /^[\s│▸▾]*/u

const search = (rows: ReadonlyArray<SafeText>, wanted: string, columns: number): ReadonlyArray<Match> => {
  const words = wanted.trim()
  if (words === "") return []
  const starts: Array<number> = []
  let joined = ""
  const skipped = rows.map((row) => {
    const plain = StyledText.plain(row)
    const skips = lead.exec(plain)?.[0].length ?? 0
    starts.push(joined.length)
    joined += `${plain.slice(skips).trimEnd()}${Rows.width(row) >= columns ? broken : "\n"}`
    return skips
  })
  return Array.from(joined.matchAll(patternOf(words)), ({ 0: { length }, index }) => {
    const [first, ...rest] = segmentsOf({ from: index, to: index + length }, starts)
    const shift = ({ from, row, to }: Segment): Segment => ({
      row,
      from: from + skipped[row],
      to: to + skipped[row]
    })
    return [shift(first), ...rest.map(shift)] as const
  })
}

/** Makes a pattern in which a blank matches the end of a row, and a word continues after a full row. */
const patternOf = (words: string): RegExp => {
  const parts = Array.from(words.replaceAll(/\s+/gu, " "), (character) =>
    character === " " ? `[ \\n${broken}]+` : character.replace(/[\^$.*+?()[\]{}|/\\]/u, String.raw`\$&`)
  )
  return new RegExp(parts.join(`${broken}?`), words === words.toLowerCase() ? "giu" : "gu")
}

const segmentsOf = (
  { from, to }: { readonly from: number; readonly to: number },
  starts: ReadonlyArray<number>
): Match => {
  const first = starts.findLastIndex((start) => start <= from)
  const last = starts.findLastIndex((start) => start < to)
  const segments = Array.from({ length: last - first + 1 }, (_, at): Segment => {
    const row = first + at
    const end = (starts[row + 1] ?? Infinity) - 1
    return { row, from: Math.max(0, from - starts[row]), to: Math.min(to, end) - starts[row] }
  })
  return [segments[0], ...segments.slice(1)]
}

const marked = new WeakMap<ReadonlyArray<SafeText>, { readonly key: string; readonly rows: ReadonlyArray<SafeText> }>()

export interface MarkOptions {
  readonly columns: number
  readonly theme: Pick<Theme, "accent" | "inverse">
  /** The match that the user is at, by its number in these rows; null: it is elsewhere. */
  readonly current: number | null
}

/** Marks the matches in the rows of a block; the current one has another colour, and a sign in the margin. */
export const mark = (
  rows: ReadonlyArray<SafeText>,
  wanted: string,
  { columns, current, theme }: MarkOptions
): ReadonlyArray<SafeText> => {
  const matches = matchesIn(rows, wanted, columns)
  if (matches.length === 0) return rows
  const key = `${columns} ${current} ${theme.accent(text`x`)} ${wanted}`
  const known = marked.get(rows)
  if (known?.key === key) return known.rows
  const markedRows = [...rows]
  for (const [index, match] of matches.entries()) {
    const paint = index === current ? (part: SafeText) => theme.accent(theme.inverse(part)) : theme.inverse
    for (const { from, row, to } of match) markedRows[row] = StyledText.paintRange(markedRows[row], { from, to, paint })
  }
  const row = current === null ? undefined : matches[current]?.[0].row
  if (row !== undefined) markedRows[row] = StyledText.replaceLead(markedRows[row], text`  `, theme.accent(text`» `))
  marked.set(rows, { key, rows: markedRows })
  return markedRows
}

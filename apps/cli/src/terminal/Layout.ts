/** Text in cells: cut to a width, wrapped to a width. Pure; what comes in is escaped already. */
import { displayWidth } from "effect/cli/CliOutput"

const tabWidth = 4

/** A cell for each character: ASCII, and the program's own signs. */
const plain = /^[ -~·—…→│✓✗“”├└─]*$/

/** How wide a line is. */
export const cells = (text: string): number => (plain.test(text) ? text.length : displayWidth(text))

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** One line of at most `columns` cells; what does not fit is an ellipsis. */
export const cut = (line: string, columns: number): string => {
  if (cells(line) <= columns) return line
  let width = 0
  let kept = ""
  for (const { segment } of graphemes.segment(line)) {
    width += cells(segment)
    if (width > columns - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** Rows of at most `columns` cells that hold all of the text. */
export const wrap = (text: string, columns: number): ReadonlyArray<string> =>
  text.split("\n").flatMap((line) => wrapLine(line.replaceAll("\t", " ".repeat(tabWidth)), columns))

const wrapLine = (line: string, columns: number): ReadonlyArray<string> => {
  if (cells(line) <= columns) return [line]
  const rows: Array<string> = []
  let row = ""
  let width = 0
  for (const { segment } of graphemes.segment(line)) {
    const added = cells(segment)
    if (width + added > columns && row !== "") {
      rows.push(row)
      row = ""
      width = 0
    }
    row += segment
    width += added
  }
  return [...rows, row]
}

/** The parts in as few rows as hold them, none broken that fits a row of its own. */
export const join = (parts: ReadonlyArray<string>, separator: string, columns: number): ReadonlyArray<string> => {
  const rows: Array<string> = []
  for (const part of parts) {
    const longer = `${rows.at(-1) ?? ""}${separator}${part}`
    if (rows.length > 0 && cells(longer) <= columns) rows[rows.length - 1] = longer
    else rows.push(...wrapLine(part, columns))
  }
  return rows
}

/** A sentence in rows of at most `columns` cells, broken between its words where it can be. */
export const sentence = (text: string, columns: number): ReadonlyArray<string> => join(text.split(" "), " ", columns)

/** Rows behind a bar, so that nothing in them can be taken for the program's own words. */
export const barred = (text: string, columns: number): ReadonlyArray<string> =>
  wrap(text, Math.max(1, columns - 2)).map((row) => `│ ${row}`)

/** Breaks text, plain or styled, into the rows of a terminal: wrapped at words, broken, cut, indented. Pure. */
import { blanks, lines, type SafeText, text as safe, unchecked } from "./SafeText.ts"
import * as StyledText from "./StyledText.ts"
import { cells as width } from "./Width.ts"

export { width }

const tab = "    "
const linesOf = (text: SafeText): ReadonlyArray<SafeText> => lines(unchecked(text.replaceAll("\t", tab)))

/** Wraps text into rows of at most `columns` cells, between words if possible; no row begins or ends with spaces. */
export const wrap = (text: SafeText, columns: number): ReadonlyArray<SafeText> =>
  linesOf(text).flatMap((line) => wrapLine(line, Math.max(2, columns)))

/** Breaks text wherever a row is full, and keeps every space: for text that is already laid out. */
export const breakHard = (text: SafeText, columns: number): ReadonlyArray<SafeText> =>
  linesOf(text).flatMap((line) =>
    width(line) <= columns
      ? [line]
      : fillRows([], StyledText.unitsOf(line, columns), Math.max(2, columns)).map(StyledText.textOf)
  )

/** Wraps text at words, and keeps the indentation of a line on each of its rows: for text with a user's own layout. */
export const wrapIndented = (text: SafeText, columns: number): ReadonlyArray<SafeText> =>
  linesOf(text).flatMap((line) => {
    if (width(line) <= columns) return [line]
    const [lead] = /^ */u.exec(line) ?? [""]
    const leadLength = Math.min(lead.length, Math.floor(columns / 2))
    return wrap(unchecked(line.slice(lead.length)), columns - leadLength).map(
      (row) => safe`${blanks(leadLength)}${row}`
    )
  })

type Units = ReadonlyArray<StyledText.Unit>

const isBlank = ({ text }: StyledText.Unit): boolean => text === " "

const trimUnits = (row: Units): Units => {
  const first = row.findIndex((unit) => !isBlank(unit))
  return first === -1 ? [] : row.slice(first, row.findLastIndex((unit) => !isBlank(unit)) + 1)
}

const wrapLine = (line: SafeText, columns: number): ReadonlyArray<SafeText> => {
  if (width(line) <= columns && !line.startsWith(" ") && !line.endsWith(" ")) return [line]
  const rows: Array<Units> = []
  let row: Array<StyledText.Unit> = []
  for (const piece of words(StyledText.unitsOf(line, columns))) {
    const word = row.length === 0 ? trimUnits(piece) : piece
    if (word.length === 0) continue
    const freeColumns = columns - cellsIn(row)
    if (cellsIn(trimmedEnd(word)) <= freeColumns) {
      row.push(...word)
      continue
    }
    // A word that is longer than a row begins on this row, or on the next if that does not need more rows.
    const long = trimUnits(word)
    const size = cellsIn(long)
    if (size > columns && Math.floor((size - freeColumns) / columns) < Math.floor((size - 1) / columns)) {
      const wordRows = fillRows(row, word, columns)
      rows.push(...wordRows.slice(0, -1))
      row = [...(wordRows.at(-1) ?? [])]
      continue
    }
    if (row.length > 0) rows.push(row)
    const wordRows = fillRows([], long, columns)
    rows.push(...wordRows.slice(0, -1))
    row = [...(wordRows.at(-1) ?? [])]
  }
  return [...rows, row].map((rowUnits) => StyledText.textOf(trimUnits(rowUnits)))
}

const cellsIn = (row: Units): number => row.reduce((sum, unit) => sum + unit.cells, 0)

const trimmedEnd = (row: Units): Units => row.slice(0, row.findLastIndex((unit) => !isBlank(unit)) + 1)

/** Splits units into words, each with the spaces before it. */
const words = (units: Units): ReadonlyArray<Units> => {
  const found: Array<Array<StyledText.Unit>> = []
  for (const [at, unit] of units.entries()) {
    const before = units[at - 1]
    const begins = before === undefined || (isBlank(unit) && !isBlank(before))
    if (begins) found.push([unit])
    else found.at(-1)?.push(unit)
  }
  return found
}

/** Adds units to a row, and to further rows once it is full. */
const fillRows = (row: Units, units: Units, columns: number): ReadonlyArray<Units> => {
  const rows: Array<Array<StyledText.Unit>> = [[...row]]
  let usedCells = cellsIn(row)
  for (const unit of units) {
    if (usedCells + unit.cells > columns && usedCells > 0) {
      rows.push([])
      usedCells = 0
    }
    rows.at(-1)?.push(unit)
    usedCells += unit.cells
  }
  return rows
}

/** Puts `first` before the first row, and `rest` before the others; default: spaces of the same width. */
export const indent = (
  rows: ReadonlyArray<SafeText>,
  first: SafeText,
  rest: SafeText = blanks(width(first))
): ReadonlyArray<SafeText> => rows.map((row, index) => safe`${index === 0 ? first : rest}${row}`)

/** Fills a row with spaces up to `cells`. */
export const pad = (row: SafeText, cells: number, align: "left" | "right" | "center" = "left"): SafeText => {
  const missing = Math.max(0, cells - width(row))
  if (align === "right") return safe`${blanks(missing)}${row}`
  if (align === "left") return safe`${row}${blanks(missing)}`
  const before = Math.floor(missing / 2)
  return safe`${blanks(before)}${row}${blanks(missing - before)}`
}

/** Cuts a row to at most `columns` cells; an ellipsis replaces the rest. */
export const cut = (row: SafeText, columns: number): SafeText => {
  if (width(row) <= columns) return row
  let freeColumns = columns - 1
  const units = StyledText.unitsOf(row, columns)
  const end = units.findIndex(({ cells }) => (freeColumns -= cells) < 0)
  return safe`${StyledText.textOf(units.slice(0, end))}…`
}

/** Text in cells: cut to a width, wrapped to a width. Pure. */
import { lines, type SafeText, text as safe, unchecked } from "./SafeText.ts"
import { cells, units } from "./Width.ts"

const tabWidth = 4

/** One line of at most `columns` cells; what does not fit is an ellipsis. */
export const cut = (line: SafeText, columns: number): SafeText => {
  if (cells(line) <= columns) return line
  let width = 0
  let kept = ""
  for (const unit of units(line, columns)) {
    width += cells(unit)
    if (width > columns - 1) break
    kept += unit
  }
  return unchecked(`${kept}…`)
}

/** Rows of at most `columns` cells that hold all of the text. */
export const wrap = (text: SafeText, columns: number): ReadonlyArray<SafeText> =>
  lines(text).flatMap((line) => wrapLine(unchecked(line.replaceAll("\t", " ".repeat(tabWidth))), columns))

const wrapLine = (line: SafeText, columns: number): ReadonlyArray<SafeText> => {
  if (cells(line) <= columns) return [line]
  const rows: Array<SafeText> = []
  let row = ""
  let width = 0
  for (const unit of units(line, columns)) {
    const added = cells(unit)
    if (width + added > columns && row !== "") {
      rows.push(unchecked(row))
      row = ""
      width = 0
    }
    row += unit
    width += added
  }
  return [...rows, unchecked(row)]
}

/** The parts in as few rows as hold them, none broken that fits a row of its own. */
export const join = (parts: ReadonlyArray<SafeText>, separator: SafeText, columns: number): ReadonlyArray<SafeText> => {
  const rows: Array<SafeText> = []
  for (const part of parts) {
    const longer = safe`${rows.at(-1) ?? ""}${separator}${part}`
    if (rows.length > 0 && cells(longer) <= columns) rows[rows.length - 1] = longer
    else rows.push(...wrapLine(part, columns))
  }
  return rows
}

/** A sentence in rows of at most `columns` cells, broken between its words where it can be. */
export const sentence = (text: SafeText, columns: number): ReadonlyArray<SafeText> =>
  join(text.split(" ").map(unchecked), safe` `, columns)

/** Rows behind a bar, so that nothing in them can be taken for the program's own words. */
export const barred = (text: SafeText, columns: number): ReadonlyArray<SafeText> =>
  wrap(text, Math.max(1, columns - 2)).map((row) => safe`│ ${row}`)

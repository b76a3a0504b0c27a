/** Styled text in rows of a terminal: measured, wrapped at words, indented. Pure. */
import stringWidth from "string-width"
import wrapAnsi from "wrap-ansi"
import { blanks, type SafeText, text as safe, unchecked } from "../SafeText.ts"

const tab = "    "

export const width = (row: string): number => stringWidth(row)

/** Rows of at most `columns` cells, broken at words where one is. */
export const wrap = (text: SafeText, columns: number): ReadonlyArray<SafeText> =>
  wrapAnsi(text.replaceAll("\t", tab), Math.max(2, columns), { hard: true, trim: true }).split("\n").map(unchecked)

/** The same, broken wherever a row is full, with every space kept: for what is laid out already. */
export const breakHard = (text: SafeText, columns: number): ReadonlyArray<SafeText> =>
  text
    .replaceAll("\t", tab)
    .split("\n")
    .flatMap((line) =>
      stringWidth(line) <= columns
        ? [line]
        : wrapAnsi(line, Math.max(2, columns), { hard: true, trim: false, wordWrap: false }).split("\n")
    )
    .map(unchecked)

/** Broken at words, with the spaces before a line kept on each of its rows: for what a person laid out. */
export const wrapIndented = (text: SafeText, columns: number): ReadonlyArray<SafeText> =>
  text
    .replaceAll("\t", tab)
    .split("\n")
    .flatMap((line) => {
      if (stringWidth(line) <= columns) return [line]
      const [lead] = /^ */u.exec(line) ?? [""]
      const kept = lead.slice(0, Math.floor(columns / 2))
      return wrap(unchecked(line.slice(lead.length)), columns - kept.length).map((row) => kept + row)
    })
    .map(unchecked)

/** `first` before the first row, and as many spaces before the others, or `rest`. */
export const indent = (
  rows: ReadonlyArray<SafeText>,
  first: SafeText,
  rest: SafeText = blanks(stringWidth(first))
): ReadonlyArray<SafeText> => rows.map((row, index) => safe`${index === 0 ? first : rest}${row}`)

/** Filled with spaces up to `cells`. */
export const pad = (row: SafeText, cells: number, align: "left" | "right" | "center" = "left"): SafeText => {
  const missing = Math.max(0, cells - stringWidth(row))
  if (align === "right") return safe`${blanks(missing)}${row}`
  if (align === "left") return safe`${row}${blanks(missing)}`
  const before = Math.floor(missing / 2)
  return safe`${blanks(before)}${row}${blanks(missing - before)}`
}

/** One row of at most `columns` cells; what does not fit is an ellipsis. */
export const cut = (row: SafeText, columns: number): SafeText =>
  stringWidth(row) <= columns ? row : safe`${breakHard(row, Math.max(2, columns - 1))[0]}…`

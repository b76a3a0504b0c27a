/** Styled text in rows of a terminal: measured, wrapped at words, indented. Pure; what comes in is escaped already. */
import stringWidth from "string-width"
import wrapAnsi from "wrap-ansi"

const tab = "    "

export const width = (row: string): number => stringWidth(row)

/** Rows of at most `columns` cells, broken at words where one is. */
export const wrap = (text: string, columns: number): ReadonlyArray<string> =>
  wrapAnsi(text.replaceAll("\t", tab), Math.max(2, columns), { hard: true, trim: true }).split("\n")

/** The same, broken wherever a row is full, with every space kept: for what is laid out already. */
export const breakHard = (text: string, columns: number): ReadonlyArray<string> =>
  text
    .replaceAll("\t", tab)
    .split("\n")
    .flatMap((line) =>
      stringWidth(line) <= columns
        ? [line]
        : wrapAnsi(line, Math.max(2, columns), { hard: true, trim: false, wordWrap: false }).split("\n")
    )

/** Broken at words, with the spaces before a line kept on each of its rows: for what a person laid out. */
export const wrapIndented = (text: string, columns: number): ReadonlyArray<string> =>
  text
    .replaceAll("\t", tab)
    .split("\n")
    .flatMap((line) => {
      if (stringWidth(line) <= columns) return [line]
      const [lead] = /^ */u.exec(line) ?? [""]
      const kept = lead.slice(0, Math.floor(columns / 2))
      return wrap(line.slice(lead.length), columns - kept.length).map((row) => kept + row)
    })

/** `first` before the first row, and as many spaces before the others, or `rest`. */
export const indent = (
  rows: ReadonlyArray<string>,
  first: string,
  rest: string = " ".repeat(stringWidth(first))
): ReadonlyArray<string> => rows.map((row, index) => (index === 0 ? first : rest) + row)

/** Filled with spaces up to `cells`. */
export const pad = (row: string, cells: number, align: "left" | "right" | "center" = "left"): string => {
  const missing = Math.max(0, cells - stringWidth(row))
  if (align === "right") return " ".repeat(missing) + row
  if (align === "left") return row + " ".repeat(missing)
  const before = Math.floor(missing / 2)
  return " ".repeat(before) + row + " ".repeat(missing - before)
}

/** One row of at most `columns` cells; what does not fit is an ellipsis. */
export const cut = (row: string, columns: number): string =>
  stringWidth(row) <= columns ? row : `${breakHard(row, Math.max(2, columns - 1))[0]}…`

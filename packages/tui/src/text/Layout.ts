/** Lays out plain text: parts beside each other, sentences, and quoted text behind a bar. Pure. */
import * as Rows from "./Rows.ts"
import { type SafeText, text as safe, unchecked } from "./SafeText.ts"

/** Joins parts into as few rows as possible; a part that fits on a row is not broken. */
export const join = (parts: ReadonlyArray<SafeText>, separator: SafeText, columns: number): ReadonlyArray<SafeText> => {
  const rows: Array<SafeText> = []
  for (const part of parts) {
    const longer = safe`${rows.at(-1) ?? ""}${separator}${part}`
    if (rows.length > 0 && Rows.width(longer) <= columns) rows[rows.length - 1] = longer
    else rows.push(...Rows.breakHard(part, columns))
  }
  return rows
}

/** Breaks a sentence into rows of at most `columns` cells, between its words if possible. */
export const sentence = (text: SafeText, columns: number): ReadonlyArray<SafeText> =>
  join(text.split(" ").map(unchecked), safe` `, columns)

/** Breaks text into rows behind a bar, so that it cannot be mistaken for the program's own. */
export const behindBar = (text: SafeText, columns: number): ReadonlyArray<SafeText> =>
  Rows.breakHard(text, Math.max(1, columns - 2)).map((row) => safe`│ ${row}`)

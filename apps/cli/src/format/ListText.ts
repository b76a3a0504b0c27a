/** Formats names with their descriptions as rows. Pure; escapes its input. */
import * as Escape from "@bough/tui/text/Escape"
import { sentence } from "@bough/tui/text/Layout"
import { blanks, type SafeText, text as safe } from "@bough/tui/text/SafeText"
import { cells } from "@bough/tui/text/Width"

/** If the column beside the names has fewer cells than this, descriptions go below the names. */
const narrowest = 28

/** The name; "" if the item is only a sentence. */
export const rows = (
  entries: ReadonlyArray<readonly [name: string, text: string]>,
  columns: number
): ReadonlyArray<SafeText> => {
  const named = entries.filter(([name]) => name !== "")
  const width = Math.max(0, ...named.map(([name]) => cells(Escape.line(name))))
  const besideColumns = columns - width - 2
  return entries.flatMap(([name, text]) => {
    const label = Escape.line(name)
    const escaped = Escape.line(text)
    if (name === "") return sentence(escaped, columns)
    if (text === "") return sentence(label, columns)
    if (besideColumns < narrowest) {
      return [...sentence(label, columns), ...sentence(escaped, columns - 5).map((row) => safe`     ${row}`)]
    }
    const padded = safe`${label}${blanks(width - cells(label))}`
    return sentence(escaped, besideColumns).map((row, index) => safe`${index === 0 ? padded : blanks(width)}  ${row}`)
  })
}

/** The list with a number before each name, from 1 on. */
export const numberLines = (
  entries: ReadonlyArray<readonly [name: string, text: string]>
): ReadonlyArray<readonly [name: string, text: string]> =>
  entries.map(([name, text], index) => [`  ${`${index + 1}`.padStart(`${entries.length}`.length)}  ${name}`, text])

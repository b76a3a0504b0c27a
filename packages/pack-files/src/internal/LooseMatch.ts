/** Finds the lines of a text that equal a passage except for white space, which models often get wrong. */

export interface LooseMatch {
  readonly start: number
  readonly end: number
  /** The replacement, with its indentation corrected in the same way as the passage's. */
  readonly indent: (replacement: string) => string
}

/** The maximum length of a searched text, because white space is collapsed in each of its lines. */
const maxTextCharacters = 2_000_000

export const collapseSpace = (line: string): string => line.replaceAll(/\s+/gu, " ").trim()

/** Returns the only match, in whole lines; null: there is none, or more than one. */
export const find = (text: string, wanted: string): LooseMatch | null => {
  if (text.length + wanted.length > maxTextCharacters) return null
  const endsLine = wanted.endsWith("\n")
  const soughtLines = (endsLine ? wanted.slice(0, -1) : wanted).split("\n")
  if (soughtLines.every((line) => line.trim() === "")) return null
  const lines = text.split("\n")
  const first = onlyMatch(lines, soughtLines)
  if (first === null) return null
  const start = lines.slice(0, first).reduce((sum, line) => sum + line.length + 1, 0)
  const found = lines.slice(first, first + soughtLines.length)
  const end = start + found.join("\n").length
  const at = soughtLines.findIndex((line) => line.trim() !== "")
  return {
    start,
    end: endsLine && end < text.length ? end + 1 : end,
    indent: (replacement) => reindent(replacement, indentOf(soughtLines[at]), indentOf(found[at]))
  }
}

const onlyMatch = (lines: ReadonlyArray<string>, soughtLines: ReadonlyArray<string>): number | null => {
  // The search uses one text, because comparing at each line would take quadratic time.
  const squeezed = `\n${lines.map(collapseSpace).join("\n")}\n`
  const passage = `\n${soughtLines.map(collapseSpace).join("\n")}\n`
  const at = squeezed.indexOf(passage)
  if (at === -1 || squeezed.indexOf(passage, at + 1) !== -1) return null
  return squeezed.slice(0, at).split("\n").length - 1
}

const indentOf = (line: string): string => /^[ \t]*/u.exec(line)?.[0] ?? ""

const reindent = (text: string, written: string, actual: string): string =>
  written === actual
    ? text
    : text
        .split("\n")
        .map((line) => (line.trim() !== "" && line.startsWith(written) ? actual + line.slice(written.length) : line))
        .join("\n")

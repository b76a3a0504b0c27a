/** The newest lines of a running call's progress. Pure. */

const maxProgress = 4

/** Appends a progress line; an update of the last line, such as a progress bar, replaces it. */
export const add = (lines: ReadonlyArray<string>, line: string): ReadonlyArray<string> => {
  const before = lines.at(-1) ?? ""
  const isSame = before.includes("%") && withoutNumbers(before) === withoutNumbers(line)
  return [...(isSame ? lines.slice(0, -1) : lines), line].slice(-maxProgress)
}

/** Removes the parts that differ between two states of a progress bar. */
const withoutNumbers = (line: string): string => line.replaceAll(/[\d.,\s=#>█░▏▎▍▌▋▊▉-]+/gu, "")

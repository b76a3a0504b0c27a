/**
 * Formats a window of a text for a model: each line with its number, and a last line with the position to continue
 * from.
 */

/** A window as `read_file` returns it; `text` has only line feeds. */
export interface NumberedWindow {
  readonly text: string
  readonly fromLine: number
  readonly lines: number
  readonly totalLines?: number
  readonly startByte: number
  readonly endByte: number
  readonly totalBytes: number
  readonly encoding?: string
  readonly lineEnding?: string
}

/** Formats each line as `number<tab>line`. */
export const number = (text: string, fromLine: number): string =>
  linesOf(text)
    .map((line, index) => `${fromLine + index}\t${line}`)
    .join("\n")

const linesOf = (text: string): ReadonlyArray<string> => {
  if (text === "") return []
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n")
}

/** Omits the last line if the text is complete and plain. */
export const format = (window: NumberedWindow): string => {
  const { encoding, fromLine, lineEnding, startByte, text, totalBytes } = window
  const facts = [
    ...(encoding === undefined ? [] : [encoding]),
    ...(lineEnding === undefined ? [] : [`${lineEnding} line endings`])
  ]
  const isWhole = startByte === 0 && window.endByte >= totalBytes
  if (isWhole && facts.length === 0 && text !== "") return number(text, fromLine)
  const rangeText = text === "" ? emptyText(window) : range(window)
  const ending = `[${[rangeText, ...facts, ...continuationOf(window)].join("; ")}]`
  return text === "" ? ending : `${number(text, fromLine)}\n${ending}`
}

const emptyText = ({ fromLine, totalBytes, totalLines }: NumberedWindow): string => {
  if (totalBytes === 0) return "the file is empty"
  return totalLines === undefined
    ? `nothing at line ${fromLine}`
    : `no line ${fromLine} or later: the file has ${totalLines} lines`
}

const range = ({ endByte, fromLine, lines, startByte, text, totalBytes, totalLines }: NumberedWindow): string => {
  const last = fromLine + Math.max(lines, 1) - 1
  const numbers = last === fromLine ? `line ${fromLine}` : `lines ${fromLine}–${last}`
  const isParted = totalLines === undefined || (endByte < totalBytes && !text.endsWith("\n"))
  const bytes = isParted ? `; bytes ${startByte}–${endByte} of ${totalBytes}` : ""
  return `${numbers}${totalLines === undefined ? "" : ` of ${totalLines}`}${bytes}`
}

/** Describes how to continue; after a window that ends within a line, by byte offset. */
const continuationOf = ({ endByte, fromLine, lines, text, totalBytes }: NumberedWindow): ReadonlyArray<string> => {
  if (endByte >= totalBytes || text === "") return []
  return [text.endsWith("\n") ? `continue with fromLine=${fromLine + lines}` : `continue with fromByte=${endByte}`]
}

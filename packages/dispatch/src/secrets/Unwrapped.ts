/**
 * A text without the line breaks between the characters of Base64 and hexadecimal: `base64`, `openssl` and `xxd` break a
 * long value into lines.
 */
import type { DecodedView } from "./DecodedView.ts"

/**
 * The minimum number of characters of a value at the end of a line for which the line is delayed, because the value may
 * continue in the next line.
 */
export const minHeld = 8

/**
 * Joins lines that belong to one value, and returns the joined lines; null: there are none. `isUnfinished`: more text
 * will follow, so a line break at its end counts too.
 */
export const joinWrappedLines = (text: string, isUnfinished = false): DecodedView | null => {
  const starts: Array<number> = []
  const sources: Array<number> = []
  const parts: Array<string> = []
  let size = 0
  const add = (from: number, end: number): void => {
    starts.push(size)
    sources.push(from)
    parts.push(text.slice(from, end))
    size += end - from
  }
  /** The rest of a joined line after its last inner break; null: no line is being joined. */
  let from: number | null = null
  const endLine = (): void => {
    if (from === null) return
    const lineFeed = text.indexOf("\n", from)
    add(from, lineFeed === -1 ? text.length : lineFeed + 1)
  }
  const join = (end: number, next: number): void => {
    const start = text.lastIndexOf("\n", end - 1) + 1
    if (start !== from) {
      endLine()
      from = start
    }
    add(from, end)
    from = next
  }
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    const end = at > 0 && text.charCodeAt(at - 1) === carriageReturn ? at - 1 : at
    const isLast = at + 1 === text.length
    if (endsLine(text, end) && (isLast ? isUnfinished : isEncoding(text.charCodeAt(at + 1)))) join(end, at + 1)
  }
  const end = text.length - 1
  if (isUnfinished && text.charCodeAt(end) === carriageReturn && endsLine(text, end)) join(end, text.length)
  if (from === null) return null
  endLine()
  return { text: parts.join(""), sourceOf: (at) => at - starts[lineOf(starts, at)] + sources[lineOf(starts, at)] }
}

const carriageReturn = 13
/** A broken line has at least that many such characters before the break, or begins at the start of the text. */
const minRun = 8

const endsLine = (text: string, end: number): boolean => {
  for (let at = end - 1; at >= 0 && at >= end - minRun; at--) if (!isEncoding(text.charCodeAt(at))) return false
  return end > 0
}

/** Returns the last line that begins at the position or before. */
const lineOf = (starts: ReadonlyArray<number>, at: number): number => {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (starts[middle] <= at) low = middle
    else high = middle - 1
  }
  return low
}

const encoding = new Uint8Array(128)
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_") {
  encoding[character.charCodeAt(0)] = 1
}

const isEncoding = (code: number): boolean => code < 128 && encoding[code] === 1

/**
 * The longest line of a stream of events. An event is a line, and its reader holds all of a line that has not ended:
 * without a bound a server that sends no line feed fills the memory.
 */

/** Far more than any event has. */
export const longestLine = 8 * 1024 * 1024

export interface Counter {
  /** Counts a chunk. Throws EMSGSIZE if a line has grown beyond the limit. */
  readonly bytes: (chunk: Uint8Array) => void
  readonly text: (chunk: string) => void
}

/** Counts the lines of one stream; each stream needs its own counter. */
export const counter = (): Counter => {
  let line = 0
  const count = (length: number, lastLineFeed: number): void => {
    line = lastLineFeed === -1 ? line + length : length - lastLineFeed - 1
    if (line > longestLine) throw Object.assign(new Error("a line without end"), { code: "EMSGSIZE" })
  }
  return {
    bytes: (chunk) => count(chunk.length, chunk.lastIndexOf(lineFeed)),
    text: (chunk) => count(chunk.length, chunk.lastIndexOf("\n"))
  }
}

const lineFeed = 10

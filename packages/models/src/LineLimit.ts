/**
 * The longest line of a stream of events. An event is a line, and its reader buffers an unfinished line: without a
 * bound, a server that sends no line feed would fill the memory.
 */

/** The limit, which is far more than any event needs. */
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

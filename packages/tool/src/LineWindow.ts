/**
 * A window of lines, cut out of bytes that come in chunks, in memory that does not grow with the file. The text is
 * exactly the bytes from `startByte` to `endByte`: windows laid end to end are the file.
 */
import { Canonical } from "@bough/protocol"
import { Buffer } from "node:buffer"
import * as TextFormat from "./TextFormat.ts"

/** Whole lines while they fit into `maxBytes`; a line that alone does not fit comes in parts. */
export interface LineRange {
  /** 1-based. */
  readonly fromLine: number
  /** Takes the place of `fromLine`: the `endByte` of the window before. */
  readonly fromByte?: number
  readonly maxLines: number
  readonly maxBytes: number
}

/** Offsets are bytes into the file; `endByte` is exclusive. The text holds its line endings as they are. */
export interface LineWindow {
  readonly text: string
  readonly encoding: TextFormat.Encoding
  readonly fromLine: number
  readonly lines: number
  readonly startByte: number
  readonly endByte: number
  readonly totalBytes: number
  /** Null: the file is so large that it was read up to the window's end only. */
  readonly totalLines: number | null
  /** Of the whole file; null as for `totalLines`. */
  readonly digest: string | null
  readonly binary: boolean
}

export interface Scanner {
  /**
   * Takes the next bytes; true while more are needed for the window. Chunks may be reused after the call. All but the
   * last are of even length, at least 4.
   */
  readonly push: (chunk: Uint8Array) => boolean
  /** `whole`: all bytes were pushed, and their digest. */
  readonly finish: (totalBytes: number, whole: string | null) => LineWindow
}

/** Where the line that `from` lies in ends, its line feed included; -1: not before the bytes end. `bytes` begin at an even offset. */
export const lineEnd = (bytes: Uint8Array, from: number, encoding: TextFormat.Encoding | null): number => {
  for (let at = bytes.indexOf(10, from); at !== -1; at = bytes.indexOf(10, at + 1)) {
    if (encoding === "utf-16le") {
      if (at % 2 === 0 && bytes[at + 1] === 0) return at + 2
    } else if (encoding === "utf-16be") {
      if (at % 2 === 1 && bytes[at - 1] === 0) return at + 1
    } else return at + 1
  }
  return -1
}

/** The window of bytes that are in memory. */
export const of = (bytes: Uint8Array, range: LineRange): LineWindow => {
  const scan = scanner(range)
  scan.push(bytes)
  return scan.finish(bytes.length, Canonical.digest(bytes))
}

export const scanner = (range: LineRange): Scanner => {
  // Even, so that no UTF-16 unit is cut.
  const maxBytes = range.maxBytes - (range.maxBytes % 2)
  let encoding: TextFormat.Encoding | null = null
  let binary = false
  let position = 0
  let newlines = 0
  let lastLineEnd = 0
  let startByte = -1
  let startLine = 1
  let complete = false
  let lines = 0
  /** Bytes of the window that are whole lines. */
  let settled = 0
  let kept = 0
  const parts: Array<Buffer> = []

  /** Counts lines from `from` on while `wanted()`; returns where it stopped. */
  const count = (chunk: Uint8Array, from: number, wanted: () => boolean): number => {
    let at = from
    while (wanted()) {
      const end = lineEnd(chunk, at, encoding)
      if (end === -1) return chunk.length
      newlines++
      lastLineEnd = position + end
      at = end
    }
    return at
  }

  const seekStart = (chunk: Uint8Array): number => {
    const { fromByte } = range
    if (fromByte === undefined) {
      const at = count(chunk, 0, () => newlines + 1 < range.fromLine)
      if (newlines + 1 >= range.fromLine) startByte = position + at
      startLine = newlines + 1
      return at
    }
    const within = fromByte - position
    if (within >= chunk.length) return count(chunk, 0, () => true)
    const at = characterStart(chunk, within, encoding)
    count(chunk.subarray(0, at), 0, () => true)
    startByte = position + at
    startLine = newlines + 1
    return at
  }

  const collect = (chunk: Uint8Array, from: number): number => {
    let at = from
    while (!complete && at < chunk.length) {
      const end = lineEnd(chunk, at, encoding)
      const upTo = end === -1 ? chunk.length : end
      if (kept + upTo - from > maxBytes) {
        complete = true
        if (settled === 0) {
          at = from + maxBytes - kept
          lines = 1
        }
      } else {
        at = upTo
        if (end !== -1) {
          newlines++
          lastLineEnd = position + end
          lines++
          settled = kept + end - from
          complete = lines >= range.maxLines
        }
      }
    }
    if (at > from) parts.push(Buffer.from(chunk.subarray(from, at)))
    kept += at - from
    return at
  }

  return {
    push: (chunk) => {
      if (encoding === null) {
        encoding = TextFormat.markedEncoding(chunk)
        binary = TextFormat.isBinary(chunk)
        // A file that is nothing but a mark has no line.
        lastLineEnd = TextFormat.markBytes[encoding]
      }
      let at = 0
      if (startByte === -1) at = seekStart(chunk)
      complete ||= startByte !== -1 && range.maxLines < 1
      if (startByte !== -1 && !complete) at = collect(chunk, at)
      if (complete) at = count(chunk, at, () => true)
      position += chunk.length
      return !complete
    },
    finish: (totalBytes, whole) => {
      const start = startByte === -1 ? position : startByte
      // A line that was begun and cut belongs to the next window, unless it is all there is or the file ends in it.
      const reached = !complete || settled === 0 ? kept : settled
      if (!complete && kept > settled && start + kept > TextFormat.markBytes[encoding ?? "utf-8"]) lines++
      const taken = Buffer.concat(parts).subarray(0, reached)
      const window = complete && settled === 0 ? TextFormat.wholeCharacters(taken, encoding ?? "utf-8") : taken
      const decoded = TextFormat.decodePart(window, encoding ?? "utf-8", start === 0)
      return {
        text: decoded.text,
        encoding: decoded.encoding,
        fromLine: startByte === -1 ? newlines + 1 : startLine,
        lines,
        startByte: start,
        endByte: start + window.length,
        totalBytes,
        totalLines: whole === null ? null : newlines + (position > lastLineEnd ? 1 : 0),
        digest: whole,
        binary
      }
    }
  }
}

/** The nearest start of a character at or after `at`. */
const characterStart = (chunk: Uint8Array, at: number, encoding: TextFormat.Encoding | null): number => {
  if (encoding === "utf-16le" || encoding === "utf-16be") return at + (at % 2)
  for (let start = at; start < at + 4; start++) if ((chunk[start] & 0xc0) !== 0x80) return start
  return at
}

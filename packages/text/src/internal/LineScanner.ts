/** Cuts a window of lines out of consecutive chunks of bytes, of which it keeps only the window. */
import { Buffer } from "node:buffer"
import * as TextFormat from "../TextFormat.ts"
import type { LineRange, LineWindow } from "./LineRange.ts"

/** Bytes and lines are counted from the start of the file, except where a comment refers to the window. */
export interface Scan {
  readonly range: LineRange
  /** The maximum number of bytes; it is even, so that no UTF-16 unit is cut. */
  readonly maxBytes: number
  /** The encoding; null: no chunk has arrived. */
  encoding: TextFormat.Encoding | null
  binary: boolean
  /** The offset of the next chunk. */
  position: number
  newlines: number
  lastLineEnd: number
  /** The offset of the window; null: it begins after the chunks so far. */
  startByte: number | null
  startLine: number
  /** True once the window is complete. */
  complete: boolean
  /** The number of complete lines in the window. */
  lines: number
  /** The number of bytes in the window that are whole lines. */
  settled: number
  /** The number of bytes in the window. */
  kept: number
  readonly parts: Array<Buffer>
}

export const begin = (range: LineRange): Scan => ({
  range,
  maxBytes: range.maxBytes - (range.maxBytes % 2),
  encoding: null,
  binary: false,
  position: 0,
  newlines: 0,
  lastLineEnd: 0,
  startByte: null,
  startLine: 1,
  complete: false,
  lines: 0,
  settled: 0,
  kept: 0,
  parts: []
})

/**
 * Returns the end of the line that contains `from`, including its line feed; -1: the line does not end within the
 * bytes. `bytes` must begin at an even offset of the file.
 */
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

/** Takes a chunk; true if the window needs more bytes. */
export const push = (scan: Scan, chunk: Uint8Array): boolean => {
  if (scan.encoding === null) recognise(scan, chunk)
  let at = 0
  if (scan.startByte === null) at = seekStart(scan, chunk)
  scan.complete ||= scan.startByte !== null && scan.range.maxLines < 1
  if (scan.startByte !== null && !scan.complete) at = collect(scan, chunk, at)
  if (scan.complete) countLines(scan, chunk, { from: at })
  scan.position += chunk.length
  return !scan.complete
}

const recognise = (scan: Scan, chunk: Uint8Array): void => {
  scan.encoding = TextFormat.markedEncoding(chunk)
  scan.binary = TextFormat.isBinary(chunk)
  // A file with only a byte order mark has no line.
  scan.lastLineEnd = TextFormat.markBytes[scan.encoding]
}

/** Counts lines from `from` on, up to the given total of line feeds; returns the position where it stopped. */
const countLines = (
  scan: Scan,
  chunk: Uint8Array,
  { from = 0, newlines = Infinity }: { readonly from?: number; readonly newlines?: number } = {}
): number => {
  let at = from
  while (scan.newlines < newlines) {
    const end = lineEnd(chunk, at, scan.encoding)
    if (end === -1) return chunk.length
    passLine(scan, end)
    at = end
  }
  return at
}

const passLine = (scan: Scan, end: number): void => {
  scan.newlines++
  scan.lastLineEnd = scan.position + end
}

const seekStart = (scan: Scan, chunk: Uint8Array): number => {
  const { fromByte, fromLine } = scan.range
  if (fromByte === undefined) {
    const at = countLines(scan, chunk, { newlines: fromLine - 1 })
    return scan.newlines + 1 >= fromLine ? startAt(scan, at) : at
  }
  const within = fromByte - scan.position
  if (within >= chunk.length) return countLines(scan, chunk)
  const at = characterStart(chunk, within, scan.encoding)
  countLines(scan, chunk.subarray(0, at))
  return startAt(scan, at)
}

const startAt = (scan: Scan, at: number): number => {
  scan.startByte = scan.position + at
  scan.startLine = scan.newlines + 1
  return at
}

/** Returns the nearest start of a character at or after `at`. */
const characterStart = (chunk: Uint8Array, at: number, encoding: TextFormat.Encoding | null): number => {
  if (encoding === "utf-16le" || encoding === "utf-16be") return at + (at % 2)
  for (let start = at; start < at + 4; start++) if ((chunk[start] & 0xc0) !== 0x80) return start
  return at
}

/** Adds lines to the window, from `from` on; returns the position where it stopped. */
const collect = (scan: Scan, chunk: Uint8Array, from: number): number => {
  let at = from
  while (!scan.complete && at < chunk.length) {
    const end = lineEnd(chunk, at, scan.encoding)
    const upTo = end === -1 ? chunk.length : end
    if (scan.kept + upTo - from > scan.maxBytes) {
      scan.complete = true
      if (scan.settled === 0) {
        at = from + scan.maxBytes - scan.kept
        scan.lines = 1
      }
    } else {
      at = upTo
      if (end !== -1) {
        passLine(scan, end)
        scan.lines++
        scan.settled = scan.kept + end - from
        scan.complete = scan.lines >= scan.range.maxLines
      }
    }
  }
  if (at > from) scan.parts.push(Buffer.from(chunk.subarray(from, at)))
  scan.kept += at - from
  return at
}

/** Returns the window. `digest`: the digest of all bytes, if all were pushed. */
export const finish = (scan: Scan, totalBytes: number, digest: string | null): LineWindow => {
  const { complete, kept, settled } = scan
  const encoding = scan.encoding ?? "utf-8"
  const start = scan.startByte ?? scan.position
  const bytes = Buffer.concat(scan.parts)
  // A truncated line belongs to the next window, unless it is the only line or the last one of the file.
  const isCut = complete && settled === 0
  const endsInLine = !complete && kept > settled && start + kept > TextFormat.markBytes[encoding]
  const window = isCut ? TextFormat.wholeCharacters(bytes, encoding) : bytes.subarray(0, complete ? settled : kept)
  const decoded = TextFormat.decodePart(window, encoding, start === 0)
  return {
    text: decoded.text,
    encoding: decoded.encoding,
    fromLine: scan.startByte === null ? scan.newlines + 1 : scan.startLine,
    lines: scan.lines + (endsInLine ? 1 : 0),
    startByte: start,
    endByte: start + window.length,
    totalBytes,
    totalLines: digest === null ? null : scan.newlines + (scan.position > scan.lastLineEnd ? 1 : 0),
    digest,
    binary: scan.binary
  }
}

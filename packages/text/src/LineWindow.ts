/**
 * A window of lines, cut out of bytes that arrive in chunks, in memory that does not grow with the file. The text is
 * exactly the bytes from `startByte` to `endByte`: consecutive windows make up the file.
 */
import { Canonical } from "@bough/protocol"
import type { LineRange, LineWindow } from "./internal/LineRange.ts"
import * as LineScanner from "./internal/LineScanner.ts"

export type { LineRange, LineWindow } from "./internal/LineRange.ts"
export { lineEnd } from "./internal/LineScanner.ts"

export interface Scanner {
  /**
   * Takes the next bytes; true if more are needed for the window. Chunks may be reused after the call. All but the last
   * must be of even length, at least 4.
   */
  readonly push: (chunk: Uint8Array) => boolean
  /** `digest`: the digest of all bytes, if all were pushed. */
  readonly finish: (totalBytes: number, digest: string | null) => LineWindow
}

/** Returns the window of bytes that are in memory. */
export const windowOf = (bytes: Uint8Array, range: LineRange): LineWindow => {
  const scan = scanner(range)
  scan.push(bytes)
  return scan.finish(bytes.length, Canonical.digest(bytes))
}

/** Makes a scanner of chunks of bytes, for one window. */
export const scanner = (range: LineRange): Scanner => {
  const scan = LineScanner.begin(range)
  return {
    push: (chunk) => LineScanner.push(scan, chunk),
    finish: (totalBytes, digest) => LineScanner.finish(scan, totalBytes, digest)
  }
}

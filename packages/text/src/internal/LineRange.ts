/** The lines that a caller requests, and the window that is returned. */
import type * as TextFormat from "../TextFormat.ts"

/**
 * The requested range. Complete lines are returned while they fit into `maxBytes`; a single line that does not fit is
 * returned in parts.
 */
export interface LineRange {
  /** The number of the first line, from 1 on. */
  readonly fromLine: number
  /** The start as an offset, which replaces `fromLine`: the `endByte` of the previous window. */
  readonly fromByte?: number
  readonly maxLines: number
  readonly maxBytes: number
}

/** Offsets are bytes into the file; `endByte` is exclusive. The text keeps its line endings. */
export interface LineWindow {
  readonly text: string
  readonly encoding: TextFormat.Encoding
  readonly fromLine: number
  readonly lines: number
  readonly startByte: number
  readonly endByte: number
  readonly totalBytes: number
  /** Null: the file is so large that it was read only to the end of the window. */
  readonly totalLines: number | null
  /** The digest of the whole file; null as for `totalLines`. */
  readonly digest: string | null
  readonly binary: boolean
}

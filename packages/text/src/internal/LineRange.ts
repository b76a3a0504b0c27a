/** The lines that a caller asks for, and the window that it gets. */
import type * as TextFormat from "../TextFormat.ts"

/** Whole lines while they fit into `maxBytes`; a line that alone does not fit comes in parts. */
export interface LineRange {
  /** 1-based. */
  readonly fromLine: number
  /** Takes the place of `fromLine`: the `endByte` of the window before. */
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
  /** Null: the file is so large that it was read up to the window's end only. */
  readonly totalLines: number | null
  /** The digest of the whole file; null as for `totalLines`. */
  readonly digest: string | null
  readonly binary: boolean
}

/** The limits of a snapshot. */
export interface Limits {
  /** Larger files are in no snapshot. */
  readonly maxFileBytes: number
  /** Larger files that git ignores are in no snapshot. */
  readonly maxIgnoredFileBytes: number
  /** A directory that git ignores and that holds more entries is in no snapshot. */
  readonly maxIgnoredEntries: number
  /** A directory that git ignores and that holds more bytes is in no snapshot. */
  readonly maxIgnoredBytes: number
  /** More files and directories than this are not recorded at all. */
  readonly maxEntries: number
  /** Workspaces with more bytes in recorded files are not recorded at all. */
  readonly maxBytes: number
}

const mebibyte = 1024 ** 2

export const defaults: Limits = {
  maxFileBytes: 32 * mebibyte,
  maxIgnoredFileBytes: 4 * mebibyte,
  maxIgnoredEntries: 1_000,
  maxIgnoredBytes: 32 * mebibyte,
  maxEntries: 200_000,
  maxBytes: 2048 * mebibyte
}

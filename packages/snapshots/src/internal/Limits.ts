/** The limits of a snapshot. */
export interface Limits {
  /** Larger files are in no snapshot. */
  readonly maxFileBytes: number
  /** The largest file that is stored although git ignores it, in bytes. */
  readonly maxIgnoredFileBytes: number
  /** A directory that git ignores and that holds more entries is in no snapshot. */
  readonly maxIgnoredEntries: number
  /** The bytes of all files that are stored although git ignores them. */
  readonly maxIgnoredBytes: number
  /** More files and directories than this are not recorded at all. */
  readonly maxEntries: number
  /** The bytes of all stored files. */
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

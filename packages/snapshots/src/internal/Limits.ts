/** The limits of a snapshot. */
export interface Limits {
  /** The size above which files are in no snapshot. */
  readonly maxFileBytes: number
  /** The size above which files that git ignores are in no snapshot. */
  readonly maxIgnoredFileBytes: number
  /** The number of entries above which a directory that git ignores is in no snapshot. */
  readonly maxIgnoredEntries: number
  /** The number of bytes above which a directory that git ignores is in no snapshot. */
  readonly maxIgnoredBytes: number
  /** The number of files and directories above which a workspace is not recorded at all. */
  readonly maxEntries: number
  /** The number of bytes in recorded files above which a workspace is not recorded at all. */
  readonly maxBytes: number
  /** The number of bytes in .gitignore files above which a workspace is not recorded at all. */
  readonly maxRuleBytes: number
  /** The number of steps in comparisons with their rules above which a workspace is not recorded at all. */
  readonly maxRuleSteps: number
}

const mebibyte = 1024 ** 2

export const defaults: Limits = {
  maxFileBytes: 32 * mebibyte,
  maxIgnoredFileBytes: 4 * mebibyte,
  maxIgnoredEntries: 1_000,
  maxIgnoredBytes: 32 * mebibyte,
  maxEntries: 200_000,
  maxBytes: 2048 * mebibyte,
  maxRuleBytes: 4 * mebibyte,
  maxRuleSteps: 400_000_000
}

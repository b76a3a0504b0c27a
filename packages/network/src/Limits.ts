/** The limits of one request. */

export interface Limits {
  /** The maximum number of bytes of a body once it is decompressed. */
  readonly maxBytes: number
  /** The maximum ratio of decompressed to compressed bytes after the first MiB. */
  readonly maxRatio: number
  readonly maxRedirects: number
  /** The time for each address that is tried. */
  readonly connectMillis: number
  /** The time from the request to the head of its response. */
  readonly answerMillis: number
  /** The time from the first lookup to the last byte, including redirects. */
  readonly totalMillis: number
  /** A body that delivers fewer bytes than this within `slowMillis` is aborted. */
  readonly slowBytes: number
  readonly slowMillis: number
}

/** The limits for pages and APIs that a model reads. */
export const standard: Limits = {
  maxBytes: 5 * 1024 ** 2,
  maxRatio: 100,
  maxRedirects: 5,
  connectMillis: 5_000,
  answerMillis: 15_000,
  totalMillis: 25_000,
  slowBytes: 512,
  slowMillis: 5_000
}

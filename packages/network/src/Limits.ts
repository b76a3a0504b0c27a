/** How much of anything one request may take. */

export interface Limits {
  /** Of a body once decompressed. */
  readonly maxBytes: number
  /** Decompressed against compressed, past the first MiB. */
  readonly maxRatio: number
  readonly maxRedirects: number
  /** For each address that is tried. */
  readonly connectMillis: number
  /** From the request to the head of its answer. */
  readonly answerMillis: number
  /** From the first lookup to the last byte, redirects included. */
  readonly totalMillis: number
  /** A body that brings fewer bytes than this within `slowMillis` is given up. */
  readonly slowBytes: number
  readonly slowMillis: number
}

/** For pages and APIs that a model reads. */
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

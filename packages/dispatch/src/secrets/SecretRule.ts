/** A rule for what a kind of secret looks like, as data. */
export interface SecretRule {
  /** The name of the secret that people are shown. */
  readonly name: string
  /**
   * The source of a regular expression in which every repetition has a bound. A group `secret` or `password` is hidden,
   * if there is one.
   */
  readonly source: string
  readonly flags: string
  /** Every match contains one of these literally; no required part of a match precedes it. */
  readonly anchors: ReadonlyArray<string>
  /** Length of the longest match. */
  readonly length: number
}

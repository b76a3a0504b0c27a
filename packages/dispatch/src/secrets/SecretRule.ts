/** A rule that recognises a kind of secret by its form, as data. */
export interface SecretRule {
  /** The name of the secret for users. */
  readonly name: string
  /**
   * The source of a regular expression in which every repetition has a bound. A group `secret` or `password` is hidden,
   * if there is one.
   */
  readonly source: string
  readonly flags: string
  /** Every match contains one of these literally; no required part of a match precedes it. */
  readonly anchors: ReadonlyArray<string>
  /** The length of the longest match. */
  readonly length: number
}

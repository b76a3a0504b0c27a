/** A rule that recognises a kind of secret by its form, as data. */
export interface SecretRule {
  /** The name of the secret for users. */
  readonly name: string
  /**
   * The source of a regular expression in which every repetition is bounded. If it has a group `secret` or `password`,
   * only that group is hidden.
   */
  readonly source: string
  readonly flags: string
  /** Words of which every match contains one; no required part of a match precedes the word. */
  readonly anchors: ReadonlyArray<string>
  /** The length of the longest match. */
  readonly length: number
}

/** A rule for what a kind of secret looks like, as data. */
export interface SecretRule {
  /** What people are told was hidden. */
  readonly name: string
  /** Of a regular expression in which every repetition has a bound. A group `secret` or `password` is what is hidden, if there is one. */
  readonly source: string
  readonly flags: string
  /** Every match holds one of these, as it is written; nothing that a match must have stands before it. */
  readonly anchors: ReadonlyArray<string>
  /** Of the longest match. */
  readonly length: number
}

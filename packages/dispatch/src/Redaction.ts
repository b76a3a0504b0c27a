/** Known secrets, kept out of what is stored and shown. */

export interface Redaction {
  /** The text with every known secret replaced. */
  readonly redact: (text: string) => string
  /** Whether the text holds a known secret. */
  readonly holdsSecret: (text: string) => boolean
}

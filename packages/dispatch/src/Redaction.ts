/** Known secrets, kept out of what is stored and shown. */

export interface Redaction {
  /** The text with every known secret replaced. */
  readonly redact: (text: string) => string
  /** Whether the text holds a known secret. */
  readonly holdsSecret: (text: string) => boolean
}

/** Nothing is secret. */
export const none: Redaction = { redact: (text) => text, holdsSecret: () => false }

/** A shorter one would be found everywhere. */
const minLength = 6

/** Finds each secret as it stands and as it is spelt inside JSON and URLs. Secrets of fewer than 6 characters are not looked for. */
export const make = (secrets: Iterable<string>): Redaction => {
  const spellings = new Set([...secrets].filter((secret) => secret.length >= minLength).flatMap(spellingsOf))
  if (spellings.size === 0) return none
  // The longest first: one secret may begin with another.
  const longestFirst = [...spellings].toSorted((a, b) => b.length - a.length)
  // By UTF-16 unit, as `includes` does: with the flag "u" half a pair beside a secret would hide it.
  const pattern = new RegExp(longestFirst.map((text) => RegExp.escape(text)).join("|"), "g")
  return {
    redact: (text) => text.replace(pattern, "[redacted]"),
    holdsSecret: (text) => longestFirst.some((spelling) => text.includes(spelling))
  }
}

const spellingsOf = (secret: string): ReadonlyArray<string> => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret.toWellFormed())
]

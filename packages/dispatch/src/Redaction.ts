/** Known secrets, kept out of what is stored and shown. */

export interface Redaction {
  /** The text with every known secret replaced. */
  readonly redact: (text: string) => string
  /** Whether the text holds a known secret. */
  readonly holdsSecret: (text: string) => boolean
  /** The length of the beginning in which no secret is begun; absent: all of it. */
  readonly settledLength?: (text: string) => number
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
    holdsSecret: (text) => longestFirst.some((spelling) => text.includes(spelling)),
    settledLength: (text) => {
      let settled = beforeBeginning(text, longestFirst)
      // A secret that is whole and crosses that place stays whole.
      for (const { 0: found, index } of text.matchAll(pattern)) {
        if (index < settled && index + found.length > settled) settled = index
      }
      return settled
    }
  }
}

/** Where the end of the text may be the beginning of one of the spellings. */
const beforeBeginning = (text: string, longestFirst: ReadonlyArray<string>): number => {
  const [longest = ""] = longestFirst
  for (let at = Math.max(0, text.length - longest.length + 1); at < text.length; at++) {
    const ending = text.slice(at)
    if (longestFirst.some((spelling) => spelling.length > ending.length && spelling.startsWith(ending))) return at
  }
  return text.length
}

/** Text that comes in pieces. */
export interface Streaming {
  /** What of the text so far can be shown; the end is held back while it may be the beginning of a secret. */
  readonly push: (piece: string) => string
  /** What was held back. */
  readonly end: () => string
}

/** Redacts text that comes in pieces: a secret that is split over several is found like any other. */
export const streaming = ({ redact, settledLength }: Redaction): Streaming => {
  if (settledLength === undefined) return { push: redact, end: () => "" }
  let held = ""
  return {
    push: (piece) => {
      const text = held + piece
      const settled = settledLength(text)
      held = text.slice(settled)
      return redact(text.slice(0, settled))
    },
    end: () => {
      const rest = redact(held)
      held = ""
      return rest
    }
  }
}

const spellingsOf = (secret: string): ReadonlyArray<string> => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret.toWellFormed())
]

/** The first mismatch and its location. The texts are short and untrusted. */

export interface Fault {
  /** The compared part, such as "the digest of the output". */
  readonly what: string
  readonly expected: string
  readonly found: string
}

/** `where`: a file and line, or an entry. */
export interface Mismatch extends Fault {
  readonly where: string
}

const around = 40
const maxLength = 160

/** Describes two different texts, each truncated to the part around the first difference. */
export const compareTexts = (what: string, expected: string, found: string): Fault => {
  let at = 0
  while (at < expected.length && expected[at] === found[at]) at++
  return { what: `${what}, from character ${at + 1}`, expected: excerpt(expected, at), found: excerpt(found, at) }
}

const excerpt = (text: string, at: number): string => {
  const from = Math.max(0, at - around)
  const part = text.slice(from, at + maxLength)
  return part === "" ? "nothing" : `${from > 0 ? "…" : ""}${part}${at + maxLength < text.length ? "…" : ""}`
}

/** Returns the mismatch; null: the values are equal. */
export const compareValues = (what: string, expected: string | number, found: string | number): Fault | null =>
  expected === found ? null : { what, expected: String(expected), found: String(found) }

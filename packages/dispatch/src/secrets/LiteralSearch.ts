/**
 * Finds any of many literals in one pass, with the shift table of Wu and Manber ("A fast algorithm for multi-pattern
 * searching", 1994): most characters are skipped. The characters in which Base64 and Base64url differ count as the
 * same.
 */

export interface LiteralSearch {
  /** Calls `visit` for every occurrence, in the order of their beginnings. */
  readonly each: (text: string, visit: (at: number, literal: string) => void) => void
  /**
   * Returns the position, at `from` or later, where an incomplete literal at the end of the text begins, or the text's
   * length.
   */
  readonly incompleteFrom: (text: string, from?: number) => number
  /** The length of the longest literal. */
  readonly maxLength: number
}

const block = 3
const tableBits = 14
const mask = 2 ** tableBits - 1

const plus = 43
const slash = 47
const minus = 45
const underscore = 95

const fold = (code: number): number => (code === minus ? plus : code === underscore ? slash : code)

/** Returns the hash of the block that ends at `at`. */
const hash = (text: string, at: number): number =>
  (fold(text.charCodeAt(at)) ^ (fold(text.charCodeAt(at - 1)) << 5) ^ (fold(text.charCodeAt(at - 2)) << 10)) & mask

/** The literals, each of at least 3 characters. */
export const make = (literals: Iterable<string>): LiteralSearch => {
  const all = [...new Set(literals)]
  const window = Math.min(...all.map(({ length }) => length))
  const shifts = new Uint8Array(mask + 1).fill(Math.min(255, window - block + 1))
  const byWindowEnd = new Map<number, Array<string>>()
  for (const literal of all) {
    for (let at = block - 1; at < window; at++) {
      const key = hash(literal, at)
      shifts[key] = Math.min(shifts[key], window - 1 - at)
    }
    push(byWindowEnd, hash(literal, window - 1), literal)
  }
  const byFirst = new Map<number, Array<string>>()
  for (const literal of all) push(byFirst, fold(literal.charCodeAt(0)), literal)
  const maxLength = Math.max(0, ...all.map(({ length }) => length))
  return {
    maxLength,
    each: (text, visit) => {
      let at = window - 1
      while (at < text.length) {
        const key = hash(text, at)
        const shift = shifts[key]
        if (shift > 0) {
          at += shift
          continue
        }
        const from = at - window + 1
        for (const literal of byWindowEnd.get(key) ?? []) if (hasLiteralAt(text, from, literal)) visit(from, literal)
        at++
      }
    },
    incompleteFrom: (text, from = 0) => {
      for (let at = Math.max(from, text.length - maxLength + 1); at < text.length; at++) {
        for (const literal of byFirst.get(fold(text.charCodeAt(at))) ?? []) {
          if (literal.length > text.length - at && hasLiteralAt(text, at, literal)) return at
        }
      }
      return text.length
    }
  }
}

/** True if the text at that position equals the literal, or its beginning if the text ends first. */
const hasLiteralAt = (text: string, at: number, literal: string): boolean => {
  const length = Math.min(literal.length, text.length - at)
  for (let index = 0; index < length; index++) {
    if (fold(text.charCodeAt(at + index)) !== fold(literal.charCodeAt(index))) return false
  }
  return true
}

const push = (map: Map<number, Array<string>>, key: number, literal: string): void => {
  const known = map.get(key)
  if (known === undefined) map.set(key, [literal])
  else known.push(literal)
}

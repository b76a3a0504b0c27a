/**
 * Finds secrets that are known by their value, such as those of variables and of the configuration, in every spelling
 * of `Spellings`.
 */
import * as LiteralSearch from "./LiteralSearch.ts"
import type { Span } from "./Span.ts"
import { spellingsOf } from "./Spellings.ts"

/** A value and its name for users, such as the name of its variable. */
export interface KnownValue {
  readonly value: string
  readonly name: string | null
}

export interface KnownValues {
  readonly find: (text: string, found: (span: Span) => void) => void
  /** Finds values like `find`, except for the short ones that count only as a whole word. */
  readonly findWithin: (text: string, found: (span: Span) => void) => void
  /** Returns the position where an incomplete value at the end of the text begins. */
  readonly incompleteFrom: (text: string) => number
  /** The length of the longest spelling. */
  readonly maxLength: number
  /** True if a value contains a space. */
  readonly hasSpaces: boolean
}

/**
 * The shortest value that is redacted inside of words: a shorter one is often an ordinary word, and is only redacted as
 * a whole word.
 */
const minLengthWithin = 8
/** The shortest value that is searched for. */
const minLength = 4

/** Makes the search; null: there is no value to search for. */
export const make = (values: Iterable<KnownValue>): KnownValues | null => {
  const markers = new Map<string, string>()
  const words = new Map<string, string>()
  for (const { name, value } of values) {
    const marker = name === null ? "[redacted]" : `[hidden: ${name.replaceAll(/[^\w.-]/gu, "_")}]`
    if (value.length >= minLengthWithin) {
      for (const spelling of spellingsOf(value)) if (!markers.has(spelling)) markers.set(spelling, marker)
    } else if (value.length >= minLength && !words.has(value)) words.set(value, marker)
  }
  if (markers.size === 0 && words.size === 0) return null
  const search = markers.size === 0 ? null : LiteralSearch.make(markers.keys())
  const findWithin: KnownValues["findWithin"] = (text, found) => {
    search?.each(text, (start, literal) => {
      found({ start, end: start + literal.length, marker: markers.get(literal) ?? "[redacted]" })
    })
  }
  return {
    findWithin,
    hasSpaces: [...markers.keys(), ...words.keys()].some((value) => value.includes(" ")),
    maxLength: Math.max(search?.maxLength ?? 0, ...Array.from(words.keys(), ({ length }) => length + 1)),
    find: (text, found) => {
      findWithin(text, found)
      for (const [word, marker] of words) findWord(text, word, (start, end) => found({ start, end, marker }))
    },
    incompleteFrom: (text) => Math.min(search?.incompleteFrom(text) ?? text.length, beginningOfWord(text, words.keys()))
  }
}

const findWord = (text: string, word: string, found: (start: number, end: number) => void): void => {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    if (!isWithin(text, at) && !isWithin(text, at + word.length)) found(at, at + word.length)
  }
}

const inWord = (): RegExp => /[\p{L}\p{N}_]/u

/** True if a word continues across this position. */
const isWithin = (text: string, at: number): boolean =>
  at > 0 && at < text.length && inWord().test(text.charAt(at - 1)) && inWord().test(text.charAt(at))

/** Returns the beginning of a word at the very end of the text, because the next piece may complete a longer word. */
const beginningOfWord = (text: string, words: Iterable<string>): number => {
  let first = text.length
  for (const word of words) {
    for (let length = Math.min(word.length, text.length); length > 0; length--) {
      if (word.startsWith(text.slice(text.length - length))) first = Math.min(first, text.length - length)
    }
  }
  return first
}

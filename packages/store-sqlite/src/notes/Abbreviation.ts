/**
 * Matches short forms with the phrases that they stand for, by their formation: initials ("PTO", paid time off),
 * counted letters ("i18n"), a number and letters ("p99", 99th percentile), and the start of a word with one of its
 * later letters ("AuthN"). Pure.
 */
import { NoteWords } from "@bough/text"
import * as Phrases from "./Phrases.ts"

const maxLength = 8
const capitals = /\p{Lu}/gu

/**
 * Returns the short form in lower case; null: the word is not a short form. A short form has two capitals, or letters
 * and digits.
 */
export const shortForm = (written: string): string | null => {
  const singular = written.replace(/(?<=\p{Lu}{2})s$/u, "")
  if (singular.length < 2 || singular.length > maxLength) return null
  const mixed = /\p{L}/u.test(singular) && /\d/u.test(singular)
  return mixed || (singular.match(capitals)?.length ?? 0) >= 2 ? Phrases.fold(singular) : null
}

/** Matches "i18n": the first letter, the number of letters between, the last one. */
const counted = /^(\p{L})(\d{1,2})(\p{L})$/u

/**
 * Returns the first letter, the last letter and the length of the word that a form such as "i18n" counts; null: the
 * form has another shape.
 */
export const countedLetters = (
  short: string
): { readonly first: string; readonly last: string; readonly length: number } | null => {
  const [, first, between, last] = counted.exec(short) ?? []
  return first === undefined ? null : { first, last, length: Number(between) + 2 }
}

/** Splits a short form into single letters and runs of digits. */
const piecesOf = (short: string): ReadonlyArray<string> => short.match(/\d+|\p{L}/gu) ?? []

const isNumbered = (short: string): boolean => /\d/u.test(short)

const startsWith = ({ word }: Phrases.Token, piece: string): boolean =>
  /^\d/u.test(piece) ? /^\d+/u.exec(word)?.[0] === piece : word.startsWith(piece)

/**
 * The letters and numbers of a short form. `isWhole`: each word of the phrase contributes a letter, even function
 * words.
 */
interface Form {
  readonly pieces: ReadonlyArray<string>
  readonly isWhole: boolean
}

/** Matches words in the order of the letters. */
const byInitials = ({ isWhole, pieces }: Form, phrase: Phrases.Phrase, start: number): number | null => {
  let next = 0
  let at = start
  for (; at < phrase.length && next < pieces.length; at++) {
    if (startsWith(phrase[at], pieces[next])) next++
    else if (next === 0 || isWhole || NoteWords.isTelling(phrase[at].word)) return null
  }
  return next === pieces.length ? at : null
}

/** Matches as many words as pieces, in any order: a number may be first in the phrase and last in its short form. */
const byNumber = (pieces: ReadonlyArray<string>, phrase: Phrases.Phrase, start: number): number | null => {
  const words = phrase.slice(start, start + pieces.length)
  const remainingPieces = [...pieces]
  for (const word of words) {
    const found = remainingPieces.findIndex((piece) => startsWith(word, piece))
    if (found < 0) return null
    remainingPieces.splice(found, 1)
  }
  return remainingPieces.length === 0 ? start + pieces.length : null
}

const minLetters = 3
const minPieces = 2

/**
 * Returns the words of the phrase whose starts spell the short form; null: no words do. `isWhole`: the words must be
 * consecutive.
 */
export const spelledOut = (short: string, phrase: Phrases.Phrase, isWhole = false): ReadonlyArray<string> | null => {
  const pieces = piecesOf(short)
  const numbered = isNumbered(short)
  if (pieces.length < (numbered ? minPieces : minLetters)) return null
  for (let start = 0; start < phrase.length; start++) {
    const end = numbered ? byNumber(pieces, phrase, start) : byInitials({ pieces, isWhole }, phrase, start)
    if (end !== null) return phrase.slice(start, end).map(({ word }) => word)
  }
  return null
}

/** True if the short form stands for this one word. */
export const isOfWord = (short: string, word: string): boolean => {
  const letters = countedLetters(short)
  if (letters !== null) {
    return word.length === letters.length && word.startsWith(letters.first) && word.endsWith(letters.last)
  }
  const beginning = short.slice(0, -1)
  return (
    beginning.length >= minLetters &&
    word.length >= short.length + 3 &&
    word.startsWith(beginning) &&
    word.includes(short.slice(-1), beginning.length)
  )
}

/** Returns the initials of possible phrases for a short form, in every order of their words. */
export const initialsOf = (short: string): ReadonlyArray<string> => {
  const initials = piecesOf(short).map((piece) => piece.charAt(0))
  if (!isNumbered(short)) return initials.length < minLetters ? [] : [initials.join("")]
  return initials.length < minPieces || initials.length > 3 ? [] : [...new Set(ordersOf(initials))]
}

const ordersOf = (initials: ReadonlyArray<string>): ReadonlyArray<string> =>
  initials.length < 2
    ? [initials.join("")]
    : initials.flatMap((initial, index) => ordersOf(initials.toSpliced(index, 1)).map((rest) => initial + rest))

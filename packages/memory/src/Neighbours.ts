/**
 * Finds notes on the same subject as a text: a note that shares enough of the text's words may be outdated by it, or
 * the text by the note. Numbers are ignored, since facts often change only in them. Pure.
 */
import * as ContentWords from "./ContentWords.ts"

/** The minimum share of the shorter text's words that both must have. */
const minShare = 1 / 2
/** The minimum number of shared words, except for very short texts. */
const enoughWords = 2
/** Texts of at most this many words count as one statement, such as "lives in Porto". */
const shortText = 2
const maxNamed = 3

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(ContentWords.contentWords(text).filter((word) => !/^\p{N}+$/u.test(word)))

/** Returns the share of the shorter text's words that both have; 0: too few for the same subject. */
const sharedPart = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  const shared = [...one].filter((word) => other.has(word)).length
  const shorter = Math.min(one.size, other.size)
  const isEnough = shared >= enoughWords || (shared > 0 && shorter <= shortText)
  return isEnough ? shared / shorter : 0
}

/** True if the texts share enough words to be about the same subject. */
export const areNear = (one: string, other: string): boolean => sharedPart(wordsOf(one), wordsOf(other)) >= minShare

/** Returns the nearest first; equally near ones keep their order. */
export const nearestNotes = <A extends { readonly text: string }>(
  text: string,
  notes: ReadonlyArray<A>
): ReadonlyArray<A> => {
  const words = wordsOf(text)
  return notes
    .map((note) => ({ note, share: sharedPart(words, wordsOf(note.text)) }))
    .filter(({ share }) => share >= minShare)
    .toSorted((left, right) => right.share - left.share)
    .slice(0, maxNamed)
    .map(({ note }) => note)
}

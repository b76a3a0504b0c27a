/**
 * Finds notes on the same subject as a text: those that share enough of its words that one of the two may be out of
 * date. Numbers are ignored, since they are what changes. Pure.
 */
import * as ContentWords from "./ContentWords.ts"

/** The least part of the shorter text's words that both must share. */
const leastShare = 1 / 2
/** The least number of shared words, except for the shortest texts. */
const enoughWords = 2
/** Texts of this few words make one statement: "lives in Porto". */
const shortText = 2
const mostNamed = 3

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(ContentWords.contentWords(text).filter((word) => !/^\p{N}+$/u.test(word)))

/** Returns the part of the shorter one's words that both share; 0: too few for one subject. */
const sharedPart = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  const shared = [...one].filter((word) => other.has(word)).length
  const shorter = Math.min(one.size, other.size)
  const isEnough = shared >= enoughWords || (shared > 0 && shorter <= shortText)
  return isEnough ? shared / shorter : 0
}

/** True if the texts share enough words to be about the same. */
export const areNear = (one: string, other: string): boolean => sharedPart(wordsOf(one), wordsOf(other)) >= leastShare

/** Returns the nearest first; equals stay in order. */
export const nearestNotes = <A extends { readonly text: string }>(
  text: string,
  notes: ReadonlyArray<A>
): ReadonlyArray<A> => {
  const asked = wordsOf(text)
  return notes
    .map((note) => ({ note, share: sharedPart(asked, wordsOf(note.text)) }))
    .filter(({ share }) => share >= leastShare)
    .toSorted((left, right) => right.share - left.share)
    .slice(0, mostNamed)
    .map(({ note }) => note)
}

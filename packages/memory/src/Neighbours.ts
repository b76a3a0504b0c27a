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

/** Returns the nearest first; equals stay in order. */
export const nearestNotes = <A extends { readonly text: string }>(
  text: string,
  notes: ReadonlyArray<A>
): ReadonlyArray<A> => {
  const asked = wordsOf(text)
  return notes
    .map((note) => {
      const words = wordsOf(note.text)
      const shared = [...asked].filter((word) => words.has(word)).length
      const shorter = Math.min(asked.size, words.size)
      const isEnough = shared >= enoughWords || (shared > 0 && shorter <= shortText)
      return { note, share: isEnough ? shared / shorter : 0 }
    })
    .filter(({ share }) => share >= leastShare)
    .toSorted((left, right) => right.share - left.share)
    .slice(0, mostNamed)
    .map(({ note }) => note)
}

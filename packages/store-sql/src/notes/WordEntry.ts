/**
 * The numbers under which a note is in the full-text index. Each says the row, how many words the note has, and how many
 * times before this entry has each of its own: the first entry of a note has all of its words, the second those that are
 * there twice or more. So a search can count and rank thousands of notes by numbers alone, without looking at any.
 */

/** Of a word that is there more often the rest does not count. */
export const mostTimes = 4

const lengths = 256
const perRow = lengths * mostTimes
/** Up to here exact; each one after it stands for a twentieth more. */
const exact = 128
const growth = Math.log(1.05)

const lengthClass = (words: number): number =>
  words < exact ? words : Math.min(lengths - 1, exact + Math.round(Math.log(words / exact) / growth))

/** `before`: 0 to `mostTimes` - 1. */
export const of = (row: number, words: number, before: number): number =>
  row * perRow + lengthClass(words) * mostTimes + before

/** The same for all entries of a note, and in their order. */
export const noteOf = (entry: number): number => Math.floor(entry / mostTimes)

export const rowOf = (note: number): number => Math.floor(note / lengths)

/** In words. */
export const lengthOf = (note: number): number => {
  const found = note % lengths
  return found < exact ? found : exact * Math.exp((found - exact) * growth)
}

/** The least and the greatest that a row can have. */
export const boundsOf = (row: number): readonly [first: number, last: number] => [row * perRow, (row + 1) * perRow - 1]

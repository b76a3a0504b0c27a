/** The words of a text for a full-text index; scripts without spaces are split into letters and pairs of letters. */

const unspaced = (): RegExp =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+/gu
const word = (): RegExp => /[\p{L}\p{N}\p{M}]+/gu
/** The maximum length of a searched word. */
const maxWordLength = 64
/** The maximum number of words of one query. */
const maxQueryWords = 32

const stopWords: ReadonlySet<string> = new Set(
  `a about am an and any are as at be been but by can could did do does for from had has have he her him his how i if in
  into is it its me my no not of on or our she should so some than that the their them then there these they this those to
  us was we were what when where which who whom whose why will with would you your s t ll re ve`.split(/\s+/)
)

/** True if the word has letters of a script without spaces between words. */
export const isUnspaced = (found: string): boolean => found.search(unspaced()) >= 0

/** False: too many texts contain the word for it to distinguish them. */
export const isTelling = (found: string): boolean => !stopWords.has(found)

const pairsOf = (letters: ReadonlyArray<string>): ReadonlyArray<string> =>
  letters.slice(1).map((letter, index) => letters[index] + letter)

const wordsOf = (text: string, cut: (letters: ReadonlyArray<string>) => ReadonlyArray<string>): Array<string> =>
  Array.from(
    text
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll(unspaced(), (run) => ` ${cut(Array.from(run)).join(" ")} `)
      .matchAll(word()),
    ([found]) => found.slice(0, maxWordLength)
  )

/** Returns the words to store, in order: single letters as well as pairs, for queries of one letter. */
export const storedWords = (text: string): ReadonlyArray<string> =>
  wordsOf(text, (letters) => [...letters, ...pairsOf(letters)])

/**
 * Returns the words without repetition, and without the most common words unless there are no others; empty: the text
 * has no word.
 */
export const queryWords = (text: string): ReadonlyArray<string> => {
  const all = [...new Set(wordsOf(text, (letters) => (letters.length > 1 ? pairsOf(letters) : letters)))]
  const telling = all.filter(isTelling)
  return (telling.length > 0 ? telling : all).slice(0, maxQueryWords)
}

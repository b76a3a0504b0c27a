/**
 * Short forms that a text explains in brackets, on either side: "paid time off (PTO)", "XML (extensible markup language)".
 * Source: Schwartz & Hearst, "A simple algorithm for identifying abbreviation definitions in biomedical text", PSB 2003.
 */
import * as Phrases from "./Phrases.ts"

const bracketed = /([^()\n]*)\(([^()\n]{2,200})\)/gu

/** The number of words before a bracket that are tried as the explained word: "p99 latency (…)". */
const maxBefore = 2

/** Returns the last index before `end` of the letter; the first letter has to begin a word. -1: there is none. */
const lastPlace = (text: string, letter: string, { end, first }: { readonly end: number; readonly first: boolean }) => {
  for (let at = end - 1; at >= 0; at--) {
    if (text[at] === letter && (!first || at === 0 || text[at - 1] === " ")) return at
  }
  return -1
}

/**
 * Returns the words that explain the short form, from the word with its first letter on; null: the text does not
 * explain it.
 */
const longForm = (short: string, long: Phrases.Phrase): ReadonlyArray<string> | null => {
  const text = long.map(({ word }) => word).join(" ")
  let end = text.length
  for (let index = short.length - 1; index >= 0; index--) {
    end = lastPlace(text, short[index], { end, first: index === 0 })
    if (end < 0) return null
  }
  const words = text.slice(end).split(" ")
  return words.length === 1 && words[0].length < short.length + 2 ? null : words
}

const lastWords = (text: string, count: number): Phrases.Phrase => (Phrases.phrasesOf(text).at(-1) ?? []).slice(-count)

/** Returns the words by which the text defines a short form; null: it defines none. `short` is in lower case. */
export const definitionOf = (short: string, text: string): ReadonlyArray<string> | null => {
  for (const [, before, inside] of text.matchAll(bracketed)) {
    const words = Phrases.phrasesOf(inside).flat()
    const alone = words.length === 1 && words[0].word === short
    const maxWords = Math.min(short.length + 5, short.length * 2)
    const long = alone
      ? longForm(short, lastWords(before, maxWords))
      : lastWords(before, maxBefore).some(({ word }) => word === short) && words.length <= maxWords
        ? longForm(short, words)
        : null
    if (long !== null) return long
  }
  return null
}

/** Splits a text into phrases of words as written, with their capitals; scripts without spaces are left out. Pure. */
import { NoteWords } from "@bough/text"

export interface Token {
  /** The word as written in the text. */
  readonly written: string
  /** The word in lower case without diacritics, as the full-text index compares it. */
  readonly word: string
}

/** The words between two marks of punctuation. */
export type Phrase = ReadonlyArray<Token>

const mark = /[^\p{L}\p{N}\p{M}\s_/&'’-]+|\n/u
const tokens = /[\p{L}\p{N}\p{M}]+/gu
const maxLength = 64

export const fold = (word: string): string =>
  word
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/gu, "")
    .normalize("NFC")

export const phrasesOf = (text: string): ReadonlyArray<Phrase> =>
  text
    .normalize("NFKC")
    .split(mark)
    .map((phrase) =>
      (phrase.match(tokens) ?? [])
        .filter((written) => written.length <= maxLength && !NoteWords.isUnspaced(written))
        .map((written) => ({ written, word: fold(written) }))
    )
    .filter(({ length }) => length > 0)

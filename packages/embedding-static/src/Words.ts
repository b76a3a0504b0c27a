/**
 * Splits a text into words in the same way as in the model's training: without accents and case, split at spaces and at
 * punctuation marks, each of which counts as a word. Source: BERT's basic tokenizer, Devlin et al. 2018,
 * arXiv:1810.04805.
 */

/** The number of words that are read; later ones are ignored. */
export const longestText = 512

const isInvisible = /(?![\t\n\r])[\0\uFFFD\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu
/** Matches characters that are written without spaces: each is a word. */
const isChinese = /[\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF]/g
const isMark = /\p{Mn}/gu
const punctuation = String.raw`\p{P}$+<=>^\x60|~`
const isWord = new RegExp(String.raw`[^\s${punctuation}]+|[${punctuation}]`, "gu")

export const wordsOf = (text: string): ReadonlyArray<string> =>
  (
    text
      .replaceAll(isInvisible, "")
      .replaceAll(isChinese, " $& ")
      .toLowerCase()
      .normalize("NFD")
      .replaceAll(isMark, "")
      .match(isWord) ?? []
  ).slice(0, longestText)

/** Returns the content words of a text in order: without function words, each in one form. */

/**
 * Words that carry no content by which two texts could differ. The list excludes negations, words of time and place,
 * and "may", which is also a month.
 */
const grammar = new Set(
  (
    "a an the this that these those there here it its he him his she her hers they them their theirs we us our ours i me my mine " +
    "you your yours who which what whose is am are was were be been being has have had having do does did done will would shall " +
    "should can could might and or so as at by for in into of on onto to with also just really very rather quite too such " +
    "over than about then " +
    "user users person people note notes noted remember remembered recall recalled known fact preference decision mentioned said says say told"
  ).split(" ")
)

const written = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}_]+[+#]*/gu

const withoutDoubling = (stem: string): string => stem.replace(/([bdgklmnprt])\1$/u, "$1")

/** Reduces "likes", "liked" and "liking" to one form, unless the rest is too short for a word. */
const reduce = (word: string): string => {
  if (!/^[a-z]{4,}$/u.test(word)) return word
  const singular = word.replace(/ies$/u, "y").replace(/([^s])s$/u, "$1")
  const stem = singular.replace(/(?<=[a-z]{3})(?:ed|ing)$/u, "")
  return (stem === singular ? stem : withoutDoubling(stem)).replace(/(?<=[a-z]{3})e$/u, "")
}

/** The maximum number of cached stems; a full cache is emptied. */
const maxStems = 10_000
const stems = new Map<string, string>()

/** Caches stems: a saved note is compared with dozens of others, which share most of their words. */
const stem = (word: string): string => {
  const known = stems.get(word)
  if (known !== undefined) return known
  if (stems.size >= maxStems) stems.clear()
  const reduced = reduce(word)
  stems.set(word, reduced)
  return reduced
}

const split = (text: string): ReadonlyArray<string> =>
  (
    text
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll(/\[?note-[0-9a-f]{8}[0-9a-f-]*\]?/gu, " ")
      .replaceAll(/n['’]t\b/gu, " not ")
      .replaceAll(/['’](?:s|re|ve|ll|m|d)\b/gu, " ")
      .match(written) ?? []
  )
    .filter((word) => !grammar.has(word))
    .map(stem)

/**
 * The maximum number of texts whose words are cached; a full cache is emptied. Texts longer than notes are not cached.
 */
const maxTexts = 1000
const maxTextLength = 1000
const texts = new Map<string, ReadonlyArray<string>>()

/** Returns the content words, cached: consecutive saved texts are compared with the same notes. */
export const contentWords = (text: string): ReadonlyArray<string> => {
  const known = texts.get(text)
  if (known !== undefined) return known
  const found = split(text)
  if (text.length > maxTextLength) return found
  if (texts.size >= maxTexts) texts.clear()
  texts.set(text, found)
  return found
}

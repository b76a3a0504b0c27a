/** The full-text index's words: each begins with the number of its user, so that no query can reach another's. */
import { NoteWords } from "@bough/tool"

export const stored = (user: number, word: string): string => `${user}x${word}`

export const asked = (user: number, text: string): ReadonlyArray<string> =>
  NoteWords.asked(text).map((word) => stored(user, word))

/** What a note is filtered by, as words of another column. */
export const scope = (user: number, kind: number, tags: ReadonlyArray<number>): string =>
  [kindWord(user, kind), ...tags.map((tag) => tagWord(user, tag))].join(" ")

export const kindWord = (user: number, kind: number): string => `${user}xk${kind}`

export const tagWord = (user: number, tag: number): string => `${user}xt${tag}`

/**
 * The words of the full-text index: each begins with its user's number, so that no query can reach another user's
 * words.
 */
import { NoteWords } from "@bough/text"
import { type NoteStore } from "@bough/tool"

export const storedWord = (user: number, word: string): string => `${user}x${word}`

export const queryWords = (user: number, text: string): ReadonlyArray<string> =>
  NoteWords.queryWords(text).map((word) => storedWord(user, word))

/**
 * Returns a note's filters as words of another column. A note of a project has two such words: one for having a
 * project, and one for that project.
 */
export const scope = ({ kind, project, tags, user }: Omit<NoteStore.IndexRow, "row" | "text">): string =>
  [
    kindWord(user, kind),
    ...tags.map((tag) => tagWord(user, tag)),
    ...(project === 0 ? [] : [anyProject(user), projectWord(user, project)])
  ].join(" ")

export const anyProject = (user: number): string => `${user}xq`

export const projectWord = (user: number, project: number): string => `${user}xp${project}`

export const kindWord = (user: number, kind: number): string => `${user}xk${kind}`

export const tagWord = (user: number, tag: number): string => `${user}xt${tag}`

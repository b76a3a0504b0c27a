/**
 * The parts that a sentence form captured, in the user's words: paths without surrounding punctuation, text unchanged.
 */
import { content, type Quoted, written } from "./Quoting.ts"

/** The file that "it" means in a clause: the one named last; null before any. */
export interface Context {
  readonly quoted: Quoted
  readonly it: string | null
}

/** Every member is null where its group took no part in the match. */
export interface Captures {
  /** A path or name: quoted, "it", or a word that can be one. */
  readonly path: (name: string) => string | null
  /** The folder to search; without a word for it, the workspace. */
  readonly place: (name: string) => string
  /** The content of a quoted text, or else the text itself. */
  readonly text: (name: string) => string | null
  readonly number: (name: string) => number | null
  readonly isQuoted: (name: string) => boolean
  readonly has: (name: string) => boolean
}

export const capturesOf = (groups: Readonly<Record<string, string | undefined>>, { it, quoted }: Context): Captures => {
  const piece = (name: string) => groups[name]?.trim() ?? ""
  const path = (name: string) => {
    const word = piece(name)
    if (word === "") return null
    const inside = content(word, quoted)
    if (inside !== null) return inside === "" ? null : inside
    if (/^(?:it|this|that)$/i.test(word)) return it
    return /^(?:them|these|those|all|everything|anything|nothing)$/i.test(word) ? null : bare(word)
  }
  return {
    path,
    place: (name) => path(name) ?? ".",
    text: (name) =>
      groups[name] === undefined ? null : (content(piece(name), quoted) ?? written(piece(name), quoted)),
    number: (name) => (groups[name] === undefined ? null : Number(groups[name])),
    isQuoted: (name) => content(piece(name), quoted) !== null,
    has: (name) => groups[name] !== undefined
  }
}

/** "src." at the end of a sentence is src; "." and ".." are themselves. */
const bare = (word: string): string => word.replace(/[,;:!?]+$/, "").replace(/(?<=[^./\\])\.+$/, "")

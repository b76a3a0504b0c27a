/**
 * The parts of a sentence that its form captured, in the user's words: paths without surrounding punctuation, other
 * text unchanged.
 */
import { content, type QuotedText, unmask } from "./Quoting.ts"

/** The file that "it" means in a clause, which is the last named file; null: no file was named. */
export interface Context {
  readonly quoted: QuotedText
  readonly it: string | null
}

/** The members return null if their group did not take part in the match. */
export interface Captures {
  /** Returns a path or name: quoted text, "it", or a word that can be one. */
  readonly path: (name: string) => string | null
  /** Returns the folder to search; the workspace if the sentence names no folder. */
  readonly place: (name: string) => string
  /** Returns the content of a quoted text, or else the text itself. */
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
    return /^(?:them|these|those|all|everything|anything|nothing)$/i.test(word) ? null : withoutPunctuation(word)
  }
  return {
    path,
    place: (name) => path(name) ?? ".",
    text: (name) => (groups[name] === undefined ? null : (content(piece(name), quoted) ?? unmask(piece(name), quoted))),
    number: (name) => (groups[name] === undefined ? null : Number(groups[name])),
    isQuoted: (name) => content(piece(name), quoted) !== null,
    has: (name) => groups[name] !== undefined
  }
}

/** Removes a final full stop: "src." becomes "src". "." and ".." are kept. */
const withoutPunctuation = (word: string): string => word.replace(/[,;:!?]+$/, "").replace(/(?<=[^./\\])\.+$/, "")

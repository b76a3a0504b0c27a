/** Sentence forms: a pattern over masked text, and the request that a match is. */
import type { Captures } from "./Captures.ts"
import { mark } from "./Quoting.ts"
import type { Request } from "./Request.ts"

export interface Form {
  /** Matches everything that the pattern matches, and costs a fraction of it to compile. */
  readonly opening: RegExp
  readonly pattern: RegExp
  /** True if the last group extends to the very end, including a full stop. */
  readonly greedy: boolean
  /** Null: it fits the pattern but asks for nothing that can be done. */
  readonly build: (captures: Captures) => Request | null
}

/** Compiles a form: a space matches any white space, and the whole clause must match. */
export const form = (source: string, build: Form["build"]): Form => ({
  opening: new RegExp(`^${spaced(source.slice(0, openingEnd(source)))}`, "i"),
  // Without the flag u, which doubles the time to compile the classes of a word: no form cuts between two halves of a character.
  pattern: new RegExp(`^${spaced(source)}$`, "i"),
  greedy: false,
  build
})

export const greedy = (source: string, build: Form["build"]): Form => ({ ...form(source, build), greedy: true })

const spaced = (source: string): string => source.replaceAll(" ", "\\s+")

/** Returns the index of the first space outside of all groups, or of the first group that begins with one. */
const openingEnd = (source: string): number => {
  let depth = 0
  for (const { 0: token, index } of source.matchAll(/\\.|\[[^\]]*\]|\(\?: |[() ]/gu)) {
    if (depth === 0 && token.endsWith(" ")) return index
    if (token.startsWith("(")) depth++
    if (token === ")") depth--
  }
  return source.length
}

/** Matches one word or one quoted text. */
export const word = (name: string): string => `(?<${name}>${mark}|[^\\s\\uE000\\uE001]+)`

/** Any text, as short as the rest of the form lets it be. */
export const text = (name: string): string => `(?<${name}>\\S[^]*?)`

const everywhere =
  "(?:this|the|my|our)(?: (?:current|whole|entire))? (?:directory|folder|workspace|project|repository|repo|codebase)" +
  "|all(?: the)? files|every file|everything|everywhere|here"

/** The folder to search, if the sentence names one. */
export const within =
  "(?: (?:in|under|inside|within|of|at|below|from) " +
  `(?:${everywhere}|(?:the )?(?:(?:file|files|directory|folder) )?${word("within")}))?`

/** Before the name of a file. */
export const theFile = "(?:the )?(?:(?:contents?|text) of )?(?:the )?(?:file )?"

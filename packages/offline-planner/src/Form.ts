/** Sentence forms: a pattern over masked text, and the request that a match results in. */
import type { Captures } from "./Captures.ts"
import { mark } from "./Quoting.ts"
import type { Request } from "./Request.ts"

export interface Form {
  /** Matches all text that the pattern matches, and compiles much faster. */
  readonly opening: RegExp
  readonly pattern: RegExp
  /** True if the last group extends to the end, including a full stop. */
  readonly greedy: boolean
  /** Returns the request; null: the text matches the pattern, but requests nothing that can be done. */
  readonly build: (captures: Captures) => Request | null
}

/** Compiles a form. A space matches any white space, and the whole clause must match. */
export const form = (source: string, build: Form["build"]): Form => ({
  opening: new RegExp(`^${withSpaces(source.slice(0, openingEnd(source)))}`, "i"),
  // The flag u would double the time to compile the character classes. It is not needed, because no form splits a
  // surrogate pair.
  pattern: new RegExp(`^${withSpaces(source)}$`, "i"),
  greedy: false,
  build
})

export const greedy = (source: string, build: Form["build"]): Form => ({ ...form(source, build), greedy: true })

const withSpaces = (source: string): string => source.replaceAll(" ", "\\s+")

/** Returns the index of the first space outside of all groups, or of the first group that begins with a space. */
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

/** Matches any text, as short as the rest of the form permits. */
export const text = (name: string): string => `(?<${name}>\\S[^]*?)`

const everywhere =
  "(?:this|the|my|our)(?: (?:current|whole|entire))? (?:directory|folder|workspace|project|repository|repo|codebase)" +
  "|all(?: the)? files|every file|everything|everywhere|here"

/** Matches the folder to search, if the sentence names one. */
export const within =
  "(?: (?:in|under|inside|within|of|at|below|from) " +
  `(?:${everywhere}|(?:the )?(?:(?:file|files|directory|folder) )?${word("within")}))?`

/** Matches the words before the name of a file. */
export const theFile = "(?:the )?(?:(?:contents?|text) of )?(?:the )?(?:file )?"

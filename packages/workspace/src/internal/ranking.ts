/**
 * The order of a search's files: first declarations of the searched word, then uses as a whole word, and sources before
 * tests and before copied or generated files. Pure: it uses only the text of the matches and the paths.
 */
import type { Match } from "./searchOutput.ts"

/** Matches the text right before a name that is declared, in the most searched languages. */
const declares =
  /\b(?:class|interface|type|enum|struct|union|trait|impl|module|namespace|package|fn|func|fun|function|def|sub|const|let|var|val|static|macro_rules!|#define)\s+[*&]*$/

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character)

/** Returns the weight of a match. 0: within a word. 1: a whole word. 2: a declaration. */
const weightOf = ({ column, endColumn, text }: Match): number => {
  if (isWordCharacter(text[column - 1]) || isWordCharacter(text[endColumn])) return 0
  return declares.test(text.slice(0, column)) ? 2 : 1
}

/** Ranks files: a lower number is more relevant to users. */
const distanceOf = (path: string): number => {
  if (/(?:^|\/)(?:node_modules|vendor|third_party|dist|build|out|target|generated)\//.test(path)) return 2
  if (/\.min\.\w+$|\.lock$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml)$|\.snap$/.test(path)) return 2
  return /(?:^|\/)(?:tests?|__tests__|spec|fixtures|examples?)\/|[._-](?:test|spec)\.\w+$/i.test(path) ? 1 : 0
}

/**
 * Sorts files with their matches, the most relevant file first; files of equal rank by path. Within a file the matches
 * stay in order.
 */
export const rank = (found: ReadonlyArray<Match>): ReadonlyArray<ReadonlyArray<Match>> =>
  Array.from(
    Map.groupBy(found, ({ path }) => path),
    ([path, matches]) => ({
      path,
      matches,
      weight: Math.max(...matches.slice(0, weighed).map(weightOf)) - distanceOf(path)
    })
  )
    .toSorted((a, b) => b.weight - a.weight || (a.path < b.path ? -1 : 1))
    .map(({ matches }) => matches)

/** The number of matches of one file that are ranked. */
const weighed = 1_000

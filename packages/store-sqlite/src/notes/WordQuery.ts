/** Queries of the full-text index: the searched words and the active filters. */
import type { NoteStore } from "@bough/tool"
import type { Database } from "../driver/Database.ts"
import * as NoteRows from "./NoteRows.ts"
import * as Words from "./Words.ts"

const anyOf = (words: ReadonlyArray<string>): string => words.map((word) => `"${word}"`).join(" OR ")

/** Filters by kind: lists the allowed or the excluded kinds, whichever are fewer. */
const kindsOf = (user: number, kinds: ReadonlyArray<number>): string => {
  const others = NoteRows.everyKind.filter((kind) => !kinds.includes(kind))
  const [operator, named] = kinds.length < others.length ? ["AND", kinds] : ["NOT", others]
  return named.length === 0 ? "" : ` ${operator} (scope : (${anyOf(named.map((kind) => Words.kindWord(user, kind)))}))`
}

/** Excludes the notes of projects that are not visible in the scope. */
const projectsOf = ({ projects, user }: NoteStore.NumberedFilter): string => {
  if (projects === null) return ""
  const seen = projects.filter((project) => project !== NoteRows.userWideProject)
  const but = seen.length === 0 ? "" : ` NOT (scope : (${anyOf(seen.map((one) => Words.projectWord(user, one)))}))`
  return ` NOT ((scope : "${Words.anyProject(user)}")${but})`
}

/** Matches the notes that have any of the words and pass the filter. */
export const expression = (words: ReadonlyArray<string>, filter: NoteStore.NumberedFilter): string => {
  const { kinds, tags, user } = filter
  const tagged = tags.map((tag) => ` AND (scope : "${Words.tagWord(user, tag)}")`).join("")
  return `(((words : (${anyOf(words)}))${tagged})${kindsOf(user, kinds)})${projectsOf(filter)}`
}

/** Counts the notes that have the word, up to one more than `limit`. */
export const countOf = (database: Database, word: string, limit: number): number =>
  Number(
    database.get("SELECT count(*) AS n FROM (SELECT 1 FROM notes_words WHERE notes_words MATCH ? LIMIT ?)", [
      `words : "${word}"`,
      limit + 1
    ])?.["n"]
  )

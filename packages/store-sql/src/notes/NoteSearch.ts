/** Notes by their words. What a query may read of the index is bounded: of too frequent words the rarest are looked for. */
import type { Database } from "@bough/sqlite"
import type { NoteStore } from "@bough/tool"
import * as NoteReads from "./NoteReads.ts"
import * as NoteRows from "./NoteRows.ts"
import * as Words from "./Words.ts"

/** Occurrences that one query ranks: about 5 ms. */
const maxOccurrences = 4000

const occurrences = (database: Database, word: string): number =>
  Number(
    database.get("SELECT count(*) AS n FROM (SELECT rowid FROM notes_words WHERE notes_words MATCH ? LIMIT ?)", [
      `words : "${word}"`,
      maxOccurrences + 1
    ])?.["n"]
  )

/** The rarest words, as many as the bound allows, and one at least. */
const affordable = (database: Database, words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const counted = words
    .map((word) => ({ word, count: occurrences(database, word) }))
    .filter(({ count }) => count > 0)
    .toSorted((left, right) => left.count - right.count)
  let total = 0
  return counted.filter(({ count }, index) => (total += count) <= maxOccurrences || index === 0).map(({ word }) => word)
}

const anyOf = (words: ReadonlyArray<string>): string => words.map((word) => `"${word}"`).join(" OR ")

/** Of the kinds the fewer are named: those that may be, or those that may not. */
const kindsOf = (user: number, kinds: ReadonlyArray<number>): string => {
  const others = NoteRows.everyKind.filter((kind) => !kinds.includes(kind))
  const [word, named] = kinds.length < others.length ? ["AND", kinds] : ["NOT", others]
  return named.length === 0 ? "" : ` ${word} (scope : (${anyOf(named.map((kind) => Words.kindWord(user, kind)))}))`
}

const expression = (words: ReadonlyArray<string>, { kinds, tags, user }: NoteStore.NumberedFilter): string =>
  `(${[`(words : (${anyOf(words)}))`, ...tags.map((tag) => `(scope : "${Words.tagWord(user, tag)}")`)].join(" AND ")})` +
  kindsOf(user, kinds)

/** As many as a place may not see at most: the held rows, and those that they stand for. */
const invisible = (database: Database): number =>
  2 * Number(database.get("SELECT count(*) AS n FROM notes WHERE hold <> ''")?.["n"])

/** Ranked first, and then only the best looked up: of thousands of occurrences most are no result. */
export const search = (
  database: Database,
  place: NoteStore.Place,
  query: NoteStore.Filter & { readonly text: string; readonly limit: number }
): ReadonlyArray<NoteStore.Found> => {
  const filter = NoteReads.numbered(database, place.user, query)
  const words = filter === null ? [] : affordable(database, Words.asked(filter.user, query.text))
  if (filter === null || words.length === 0) return []
  return database
    .all(
      `SELECT ${NoteRows.columns}, found.rank AS rank
       FROM (SELECT rowid, rank FROM notes_words WHERE notes_words MATCH ?2 ORDER BY rank LIMIT ?4) AS found
       JOIN notes ON notes.row = found.rowid
       WHERE +user = ?3 AND ${NoteRows.visible} ORDER BY found.rank LIMIT ?5`,
      [place.hold ?? "", expression(words, filter), filter.user, query.limit + invisible(database), query.limit]
    )
    .map((row) => ({ row: Number(row["row"]), note: NoteRows.noteOf(row), score: -Number(row["rank"]) }))
}

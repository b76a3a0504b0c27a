/**
 * Notes by their words. What a query ranks is bounded. Where its words are too frequent for that, notes with the rarest
 * and one other word are looked for, and then those with the rarest words alone.
 */
import type { Note } from "@bough/protocol"
import type { Database, Row } from "@bough/sqlite"
import type { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as NoteReads from "./NoteReads.ts"
import * as NoteRows from "./NoteRows.ts"
import * as Words from "./Words.ts"

/** Occurrences that one query ranks: about 2 ms. */
const maxOccurrences = 4000

interface Counted {
  readonly word: string
  /** At most one more than the bound. */
  readonly count: number
}

const occurrences = (database: Database, word: string): number =>
  Number(
    database.get("SELECT count(*) AS n FROM (SELECT rowid FROM notes_words WHERE notes_words MATCH ? LIMIT ?)", [
      `words : "${word}"`,
      maxOccurrences + 1
    ])?.["n"]
  )

/** Those that occur, the rarest first. */
const counted = (database: Database, words: ReadonlyArray<string>): ReadonlyArray<Counted> =>
  words
    .map((word) => ({ word, count: occurrences(database, word) }))
    .filter(({ count }) => count > 0)
    .toSorted((left, right) => left.count - right.count)

/** As many of the rarest as the bound allows, and one at least. */
const affordable = (words: ReadonlyArray<Counted>): ReadonlyArray<Counted> => {
  let total = 0
  return words.filter(({ count }, index) => (total += count) <= maxOccurrences || index === 0)
}

/** Notes up to this row are not looked at: even the rarest word is on more than the bound after it. */
const oldestRow = (database: Database, { count, word }: Counted): number =>
  count <= maxOccurrences
    ? 0
    : Number(
        database.get("SELECT rowid FROM notes_words WHERE notes_words MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?", [
          `words : "${word}"`,
          maxOccurrences
        ])?.["rowid"] ?? 0
      )

const anyOf = (words: ReadonlyArray<string>): string => words.map((word) => `"${word}"`).join(" OR ")

/** Of the kinds the fewer are named: those that may be, or those that may not. */
const kindsOf = (user: number, kinds: ReadonlyArray<number>): string => {
  const others = NoteRows.everyKind.filter((kind) => !kinds.includes(kind))
  const [word, named] = kinds.length < others.length ? ["AND", kinds] : ["NOT", others]
  return named.length === 0 ? "" : ` ${word} (scope : (${anyOf(named.map((kind) => Words.kindWord(user, kind)))}))`
}

const inWords = (words: ReadonlyArray<Counted>): string => `(words : (${anyOf(words.map(({ word }) => word))}))`

/** All of `parts`, and the filter. */
const expression = (parts: ReadonlyArray<string>, { kinds, tags, user }: NoteStore.NumberedFilter): string =>
  `(${[...parts, ...tags.map((tag) => `(scope : "${Words.tagWord(user, tag)}")`)].join(" AND ")})` +
  kindsOf(user, kinds)

/** The queries that are made, until there are enough results. */
const expressions = (words: ReadonlyArray<Counted>, filter: NoteStore.NumberedFilter): ReadonlyArray<string> => {
  const few = affordable(words)
  const alone = expression([inWords(few)], filter)
  const [rarest, ...others] = words
  return few.length === words.length ? [alone] : [expression([inWords([rarest]), inWords(others)], filter), alone]
}

/** As many as a place may not see at most: the held rows, and those that they stand for. */
const invisible = (database: Database): number =>
  2 * Number(database.get("SELECT count(*) AS n FROM notes WHERE hold <> ''")?.["n"])

type Query = NoteStore.Filter & { readonly text: string; readonly limit: number }

interface Ranked {
  readonly user: number
  /** Rows up to this one are left out. */
  readonly after: number
  readonly limit: number
}

type Read = <A>(body: (database: Database) => A) => Effect.Effect<A, NoteStore.NoteStoreFailed>

const rank =
  (place: NoteStore.Place, match: string, { after, limit, user }: Ranked) =>
  (database: Database): ReadonlyArray<NoteStore.Found> =>
    database.all(ranking, [place.hold ?? "", match, user, after, limit + invisible(database), limit]).map(foundOf)

/**
 * Reads in several goes and lets others on before each: a search of the index of meaning, which goes on in other threads,
 * would wait at each of its steps until all were done. A note that is changed meanwhile is found as it was read last.
 */
export const search = Effect.fnUntraced(function* (
  read: Read,
  place: NoteStore.Place,
  query: Query
): Effect.fn.Return<ReadonlyArray<NoteStore.Found>, NoteStore.NoteStoreFailed> {
  const next: Read = (body) => Effect.andThen(Effect.yieldNow, read(body))
  const filter = yield* next((database) => NoteReads.numbered(database, place.user, query))
  if (filter === null) return []
  const words = yield* read((database) => counted(database, Words.asked(filter.user, query.text)))
  if (words.length === 0) return []
  const { limit } = query
  const after = yield* read((database) => oldestRow(database, words[0]))
  const found = new Map<Note.NoteId, NoteStore.Found>()
  for (const match of expressions(words, filter)) {
    if (found.size >= limit) break
    const best = yield* next(rank(place, match, { after, limit, user: filter.user }))
    for (const one of best) {
      // Found before by more of the words, it stays what it was.
      if (found.get(one.note.noteId)?.row !== one.row) found.set(one.note.noteId, one)
    }
  }
  return [...found.values()].toSorted((left, right) => right.score - left.score).slice(0, limit)
})

/**
 * Ranked first, and then only the best looked up: of thousands of occurrences most are no result. Without the plus FTS5
 * would sort all of them itself, which takes as long again as ranking them.
 */
const ranking = `SELECT ${NoteRows.columns}, found.rank AS rank
  FROM (SELECT rowid, rank FROM notes_words WHERE notes_words MATCH ?2 AND rowid > ?4 ORDER BY +rank, rowid LIMIT ?5) AS found
  JOIN notes ON notes.row = found.rowid
  WHERE +user = ?3 AND ${NoteRows.visible} ORDER BY found.rank, row LIMIT ?6`

const foundOf = (row: Row): NoteStore.Found => ({
  row: Number(row["row"]),
  note: NoteRows.noteOf(row),
  score: -Number(row["rank"])
})

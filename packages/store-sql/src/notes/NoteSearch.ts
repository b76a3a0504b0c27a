/**
 * Notes by their words. Of each word the full-text index gives the notes that have it, up to a bound. Those of the rare
 * words are ranked, and of a frequent one just what it adds to those.
 */
import type { Database } from "@bough/sqlite"
import type { NoteStore } from "@bough/tool"
import * as NoteReads from "./NoteReads.ts"
import * as NoteRows from "./NoteRows.ts"
import * as Postings from "./Postings.ts"
import * as WordEntry from "./WordEntry.ts"
import * as WordRanking from "./WordRanking.ts"
import * as Words from "./Words.ts"

/** Notes that are read of one word: about a tenth of a millisecond. */
const maxOfWord = 4000
/** Notes that are read of all words of a query. */
const maxOfAll = 12_000
/** Frequent words that may add to what the rare ones find; more say next to nothing. */
const maxFrequent = 4

interface Word extends WordRanking.Word {
  readonly word: string
  /** False: the notes are just some of those that have it. */
  readonly complete: boolean
}

interface Bounds {
  readonly filter: NoteStore.NumberedFilter
  /** Notes of each word. */
  readonly most: number
  /** Notes that were ever written. */
  readonly written: number
}

const anyOf = (words: ReadonlyArray<string>): string => words.map((word) => `"${word}"`).join(" OR ")

/** Of the kinds the fewer are named: those that may be, or those that may not. */
const kindsOf = (user: number, kinds: ReadonlyArray<number>): string => {
  const others = NoteRows.everyKind.filter((kind) => !kinds.includes(kind))
  const [word, named] = kinds.length < others.length ? ["AND", kinds] : ["NOT", others]
  return named.length === 0 ? "" : ` ${word} (scope : (${anyOf(named.map((kind) => Words.kindWord(user, kind)))}))`
}

/** Notes that fit all `parts` and the filter. */
const expression = (parts: ReadonlyArray<string>, { kinds, tags, user }: NoteStore.NumberedFilter): string =>
  `(${[...parts, ...tags.map((tag) => `(scope : "${Words.tagWord(user, tag)}")`)].join(" AND ")})` +
  kindsOf(user, kinds)

/** A word that is on more notes than are read is taken to be as frequent among the newer ones as among the oldest. */
const havingOf = (notes: ReadonlyArray<number>, written: number, complete: boolean): number =>
  complete ? notes.length : (notes.length * written) / WordEntry.rowOf(notes[notes.length - 1])

/** Those of them that occur, the rarest first. */
const occurring = (
  database: Database,
  words: ReadonlyArray<string>,
  { filter, most, written }: Bounds
): ReadonlyArray<Word> =>
  words
    .flatMap((word): ReadonlyArray<Word> => {
      const read = Postings.read(database, expression([`(words : "${word}")`], filter), { most, which: "Oldest" })
      return read.notes.length === 0 ? [] : [{ ...read, word, having: havingOf(read.notes, written, read.complete) }]
    })
    .toSorted((left, right) => left.having - right.having)

/** The words that are ranked: the rare ones, and where the frequent ones are on the same notes. */
const ranked = (database: Database, words: ReadonlyArray<Word>, { filter, most }: Bounds): ReadonlyArray<Word> => {
  const newest = (parts: ReadonlyArray<string>) =>
    Postings.read(database, expression(parts, filter), { most, which: "Newest" })
  const complete = words.filter((word) => word.complete)
  const rare = complete.length > 0 ? complete : words.slice(0, 1)
  const found = `(words : (${anyOf(rare.map(({ word }) => word))}))`
  const others = words.filter((word) => !rare.includes(word)).slice(0, maxFrequent)
  const frequent = others.map((word) => ({ ...word, ...newest([found, `(words : "${word.word}")`]) }))
  if (complete.length > 0) return [...rare, ...frequent]
  // Even the rarest is on too many: the newest of them, and those that have another of the words as well.
  return [...rare.map((word) => ({ ...word, ...Postings.union([...frequent, newest([found])]) })), ...frequent]
}

/** As many as a place may not see at most: the held rows, and those that they stand for. */
const invisible = (database: Database): number =>
  2 * Number(database.get("SELECT count(*) AS n FROM notes WHERE hold <> ''")?.["n"])

type Query = NoteStore.Filter & { readonly text: string; readonly limit: number }

/** The best first. */
export const search = (database: Database, place: NoteStore.Place, query: Query): ReadonlyArray<NoteStore.Found> => {
  const filter = NoteReads.numbered(database, place.user, query)
  if (filter === null) return []
  const asked = Words.asked(filter.user, query.text)
  const { dropped, written } = NoteReads.counters(database)
  const bounds = { filter, written, most: Math.min(maxOfWord, Math.ceil(maxOfAll / asked.length)) }
  const words = occurring(database, asked, bounds)
  if (words.length === 0) return []
  const best = WordRanking.best(ranked(database, words, bounds), written - dropped, query.limit + invisible(database))
  const visible = NoteReads.visible(
    database,
    place,
    best.map(({ row }) => row)
  )
  const notes = new Map(visible.map(({ note, row }) => [row, note]))
  return best
    .flatMap(({ row, score }) => {
      const note = notes.get(row)
      return note === undefined ? [] : [{ row, note, score }]
    })
    .slice(0, query.limit)
}

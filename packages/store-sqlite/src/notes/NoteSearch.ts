/** Finds notes by their words: FTS5 finds them and ranks them by its own BM25. */
import type { NoteStore } from "@bough/tool"
import type { Database } from "../driver/Database.ts"
import * as LastExpansion from "./LastExpansion.ts"
import * as NoteReads from "./NoteReads.ts"
import * as SharedWords from "./SharedWords.ts"
import * as WordQuery from "./WordQuery.ts"
import * as Words from "./Words.ts"

/** The maximum number of notes that one query ranks, at about a microsecond each. Only larger stores have to choose. */
const maxRanked = 10_000

/** The notes that are ranked: those that contain one of `words` and whose rows follow `after`. */
interface Candidates {
  readonly words: ReadonlyArray<string>
  readonly after: number
}

interface WordCount {
  readonly word: string
  /** The number of notes with the word. */
  readonly count: number
}

/** Chooses the rarest words, as many as can be ranked; null: even one word is in too many notes. */
const rarest = (counted: ReadonlyArray<WordCount>, maxCount: number): Candidates | null => {
  let sum = 0
  const rare = counted.filter(({ count }) => (sum += count) <= maxCount)
  return rare.some(({ count }) => count > 0) ? { words: rare.map(({ word }) => word), after: 0 } : null
}

const byCount = (left: WordCount, right: WordCount): number => left.count - right.count

/** Chooses the rarest words; if even the rarest word is in too many notes, all words, but only in the newest notes. */
const candidates = (database: Database, words: ReadonlyArray<string>): Candidates => {
  const { dropped, written } = NoteReads.counters(database)
  if (written - dropped <= maxRanked) return { words, after: 0 }
  const counted = words.map((word) => ({ word, count: WordQuery.countOf(database, word, maxRanked) })).toSorted(byCount)
  return rarest(counted, maxRanked) ?? { words, after: written - maxRanked }
}

/**
 * Returns an upper bound of the number of notes that are invisible in a scope: the staged rows, and the rows that they
 * replace.
 */
const invisible = (database: Database): number =>
  2 * Number(database.get("SELECT count(*) AS n FROM notes WHERE hold <> ''")?.["n"])

/** Returns the BM25 score of the best rows that have one of the words or phrases. */
const scoresOf = (
  database: Database,
  { after, words }: Candidates,
  { filter, limit }: SharedWords.RankOptions
): ReadonlyArray<readonly [row: number, score: number]> => {
  if (words.length === 0) return []
  // Sorted outside of FTS5, whose ORDER BY rank would sort all matches.
  return database
    .all(
      `SELECT rowid AS row, -bm25(notes_words, 1.0, 0.0) AS score FROM notes_words
       WHERE notes_words MATCH ? AND rowid > ? ORDER BY score DESC, row DESC LIMIT ?`,
      [WordQuery.expression(words, filter), after, limit]
    )
    .map(({ row, score }) => [Number(row), Number(score)])
}

export type Query = NoteStore.Filter & { readonly text: string; readonly limit: number; readonly exact?: boolean }

/** Ranks by the words themselves, and with a smaller weight by similar words and abbreviations. */
const rank = (
  database: Database,
  { exact = false, text }: Query,
  ranking: SharedWords.RankOptions
): ReadonlyMap<number, number> => {
  const { user } = ranking.filter
  if (exact) return SharedWords.scores(database, text, ranking)
  const scores = new Map(scoresOf(database, candidates(database, Words.queryWords(user, text)), ranking))
  for (const [share, expansions] of Map.groupBy(
    LastExpansion.lastExpansion(database, user, text),
    (each) => each.share
  )) {
    const phrases = expansions.map(({ words }) => words.map((word) => Words.storedWord(user, word)).join(" "))
    for (const [row, score] of scoresOf(database, candidates(database, phrases), ranking)) {
      scores.set(row, (scores.get(row) ?? 0) + share * score)
    }
  }
  return scores
}

/** Returns the best notes first; of equally good ones, the newest first. */
export const search = (
  database: Database,
  noteScope: NoteStore.NoteScope,
  query: Query
): ReadonlyArray<NoteStore.FoundNote> => {
  const filter = NoteReads.toNumberedFilter(database, noteScope, query)
  if (filter === null) return []
  const limit = query.limit + invisible(database)
  const scores = rank(database, query, { filter, limit })
  return NoteReads.visible(database, noteScope, [...scores.keys()])
    .map(({ note, row }) => ({ row, note, score: scores.get(row) ?? 0 }))
    .toSorted((left, right) => right.score - left.score || right.row - left.row)
    .slice(0, query.limit)
}

/** Finds notes by their words: FTS5 finds them and ranks them by its own BM25. */
import type { Database } from "../driver/Database.ts"
import type { NoteStore } from "@bough/tool"
import { NoteWords } from "@bough/text"
import * as NoteReads from "./NoteReads.ts"
import * as NoteRows from "./NoteRows.ts"
import * as LastExpansion from "./LastExpansion.ts"
import * as Vocabulary from "./Vocabulary.ts"
import * as Words from "./Words.ts"

/** The most notes that one query ranks, at about a microsecond each. Only larger stores have to choose. */
const maxRanked = 10_000
/**
 * The same for an exact query, which looks for notes that share most words of a whole text: they share its rare words,
 * while most notes of a large store contain its frequent ones.
 */
const maxRankedExact = 1000
const fewWords = 4

const anyOf = (words: ReadonlyArray<string>): string => words.map((word) => `"${word}"`).join(" OR ")

/** Filters by kind: lists the allowed or the excluded kinds, whichever are fewer. */
const kindsOf = (user: number, kinds: ReadonlyArray<number>): string => {
  const others = NoteRows.everyKind.filter((kind) => !kinds.includes(kind))
  const [operator, named] = kinds.length < others.length ? ["AND", kinds] : ["NOT", others]
  return named.length === 0 ? "" : ` ${operator} (scope : (${anyOf(named.map((kind) => Words.kindWord(user, kind)))}))`
}

/** Excludes the notes of projects that the place does not see. */
const projectsOf = ({ projects, user }: NoteStore.NumberedFilter): string => {
  if (projects === null) return ""
  const seen = projects.filter((project) => project !== NoteRows.ofUser)
  const but = seen.length === 0 ? "" : ` NOT (scope : (${anyOf(seen.map((one) => Words.projectWord(user, one)))}))`
  return ` NOT ((scope : "${Words.anyProject(user)}")${but})`
}

/** Matches the notes that have any of the words and pass the filter. */
const expression = (words: ReadonlyArray<string>, filter: NoteStore.NumberedFilter): string => {
  const { kinds, tags, user } = filter
  const tagged = tags.map((tag) => ` AND (scope : "${Words.tagWord(user, tag)}")`).join("")
  return `(((words : (${anyOf(words)}))${tagged})${kindsOf(user, kinds)})${projectsOf(filter)}`
}

/** Counts the notes that have the word, up to one more than `most`. */
const countOf = (database: Database, word: string, most: number): number =>
  Number(
    database.get("SELECT count(*) AS n FROM (SELECT 1 FROM notes_words WHERE notes_words MATCH ? LIMIT ?)", [
      `words : "${word}"`,
      most + 1
    ])?.["n"]
  )

/** The notes that are ranked: those with one of `words`, in the rows after `after`. */
interface Candidates {
  readonly words: ReadonlyArray<string>
  readonly after: number
}

interface Counted {
  readonly word: string
  /** The number of notes with the word. */
  readonly count: number
}

/** Chooses the rarest words, as many as can be ranked; null: even one is on too many notes. */
const rarest = (counted: ReadonlyArray<Counted>, most: number): Candidates | null => {
  let sum = 0
  const rare = counted.filter(({ count }) => (sum += count) <= most)
  return rare.some(({ count }) => count > 0) ? { words: rare.map(({ word }) => word), after: 0 } : null
}

const byCount = (left: Counted, right: Counted): number => left.count - right.count

/** Chooses the rarest words; if even one is on too many notes, all words on the newest notes. */
const candidates = (database: Database, words: ReadonlyArray<string>): Candidates => {
  const { dropped, written } = NoteReads.counters(database)
  if (written - dropped <= maxRanked) return { words, after: 0 }
  const counted = words.map((word) => ({ word, count: countOf(database, word, maxRanked) })).toSorted(byCount)
  return rarest(counted, maxRanked) ?? { words, after: written - maxRanked }
}

/**
 * Chooses the rarest words of an exact query. Their counts come from the vocabulary and leave out other forms of a word,
 * because counting those takes as long as ranking. If even the rarest word is on too many notes, a few words are ranked on
 * the newest notes: BM25 reads all notes of each of its words.
 */
const exactCandidates = (database: Database, user: number, text: string): Candidates => {
  const { dropped, written } = NoteReads.counters(database)
  if (written - dropped <= maxRankedExact) return { words: Words.asked(user, text), after: 0 }
  const known = Vocabulary.counts(database, user, NoteWords.asked(text))
  const counted = NoteWords.asked(text)
    .map((spelled) => {
      const word = Words.stored(user, spelled)
      return { word, count: known.get(spelled) ?? countOf(database, word, maxRankedExact) }
    })
    .toSorted(byCount)
  const few = counted.slice(0, fewWords).map(({ word }) => word)
  return rarest(counted, maxRankedExact) ?? { words: few, after: written - maxRankedExact }
}

/** Returns an upper bound of the notes that a place may not see: the staged rows, and those that they replace. */
const invisible = (database: Database): number =>
  2 * Number(database.get("SELECT count(*) AS n FROM notes WHERE hold <> ''")?.["n"])

interface Ranking {
  readonly filter: NoteStore.NumberedFilter
  readonly limit: number
}

/** BM25 of the best rows that have one of the words or phrases. */
const scoresOf = (
  database: Database,
  { after, words }: Candidates,
  { filter, limit }: Ranking
): ReadonlyArray<readonly [row: number, score: number]> => {
  if (words.length === 0) return []
  // Sorted outside of FTS5, whose ORDER BY rank would sort all matches.
  return database
    .all(
      `SELECT rowid AS row, -bm25(notes_words, 1.0, 0.0) AS score FROM notes_words
       WHERE notes_words MATCH ? AND rowid > ? ORDER BY score DESC, row DESC LIMIT ?`,
      [expression(words, filter), after, limit]
    )
    .map(({ row, score }) => [Number(row), Number(score)])
}

export type Query = NoteStore.Filter & { readonly text: string; readonly limit: number; readonly exact?: boolean }

/** Ranks by the words themselves, and with a smaller weight by their stand-ins. */
const rank = (database: Database, { exact = false, text }: Query, ranking: Ranking): ReadonlyMap<number, number> => {
  const { user } = ranking.filter
  if (exact) return new Map(scoresOf(database, exactCandidates(database, user, text), ranking))
  const scores = new Map(scoresOf(database, candidates(database, Words.asked(user, text)), ranking))
  for (const [share, expansions] of Map.groupBy(
    LastExpansion.lastExpansion(database, user, text),
    (each) => each.share
  )) {
    const phrases = expansions.map(({ words }) => words.map((word) => Words.stored(user, word)).join(" "))
    for (const [row, score] of scoresOf(database, candidates(database, phrases), ranking)) {
      scores.set(row, (scores.get(row) ?? 0) + share * score)
    }
  }
  return scores
}

/** Returns the best first; of equals, the newest. */
export const search = (
  database: Database,
  place: NoteStore.NoteScope,
  query: Query
): ReadonlyArray<NoteStore.FoundNote> => {
  const filter = NoteReads.numbered(database, place, query)
  if (filter === null) return []
  const limit = query.limit + invisible(database)
  const scores = rank(database, query, { filter, limit })
  return NoteReads.visible(database, place, [...scores.keys()])
    .map(({ note, row }) => ({ row, note, score: scores.get(row) ?? 0 }))
    .toSorted((left, right) => right.score - left.score || right.row - left.row)
    .slice(0, query.limit)
}

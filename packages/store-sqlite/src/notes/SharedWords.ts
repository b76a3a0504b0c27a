/**
 * Ranks notes by the words that they share with an entire text, to compare a text that is being saved with notes of
 * possibly the same content. Such notes share its rare words; its frequent words are in most notes of a large store.
 * Each word is read by itself and adds its rarity, which takes a third of the time of BM25 over the same notes.
 */
import { NoteWords } from "@bough/text"
import type { NoteStore } from "@bough/tool"
import type { Database } from "../driver/Database.ts"
import * as NoteReads from "./NoteReads.ts"
import * as Vocabulary from "./Vocabulary.ts"
import * as WordQuery from "./WordQuery.ts"
import * as Words from "./Words.ts"

export interface RankOptions {
  readonly filter: NoteStore.NumberedFilter
  readonly limit: number
}

/** The maximum number of notes that are read for all words together. */
const maxRead = 1000
/** The number of words that are looked for in the newest notes if even the rarest word is in too many notes. */
const fewWords = 4

interface WordCount {
  readonly word: string
  /** The number of notes with the word. */
  readonly count: number
}

/**
 * Counts notes by the vocabulary, which does not include other forms of a word: counting those would take as long as
 * reading them.
 */
const countedWords = (database: Database, user: number, text: string): ReadonlyArray<WordCount> => {
  const queryWords = NoteWords.queryWords(text)
  const known = Vocabulary.counts(database, user, queryWords)
  return queryWords
    .map((spelled) => {
      const word = Words.storedWord(user, spelled)
      return { word, count: known.get(spelled) ?? WordQuery.countOf(database, word, maxRead) }
    })
    .toSorted((left, right) => left.count - right.count)
}

/** Returns the scores of the best rows; among equal scores, the newest rows are kept. */
export const scores = (
  database: Database,
  text: string,
  { filter, limit }: RankOptions
): ReadonlyMap<number, number> => {
  const { dropped, written } = NoteReads.counters(database)
  const counted = countedWords(database, filter.user, text)
  let sum = 0
  const rare = counted.filter(({ count }) => (sum += count) <= maxRead)
  const isRare = rare.some(({ count }) => count > 0)
  const after = isRare ? 0 : written - maxRead
  const shared = new Map<number, number>()
  for (const { word } of isRare ? rare : counted.slice(0, fewWords)) {
    const read = database.get(
      "SELECT json_group_array(rowid) AS rows FROM notes_words WHERE notes_words MATCH ? AND rowid > ?",
      [WordQuery.expression([word], filter), after]
    )
    const rows = JSON.parse(String(read?.["rows"])) as ReadonlyArray<number> // JSON in the form that the query makes
    const rarity = Math.log(1 + (written - dropped) / (rows.length + 1))
    for (const row of rows) shared.set(row, (shared.get(row) ?? 0) + rarity)
  }
  return new Map(
    [...shared].toSorted(([oneRow, one], [otherRow, other]) => other - one || otherRow - oneRow).slice(0, limit)
  )
}

/** Computes the share of a text's word weights that each of the given notes contains. */
import { NoteWords } from "@bough/text"
import { type NoteStore } from "@bough/tool"
import type { Database } from "../driver/Database.ts"
import * as CommonWords from "./CommonWords.ts"
import * as FunctionWords from "./FunctionWords.ts"
import * as LastExpansion from "./LastExpansion.ts"
import * as NoteReads from "./NoteReads.ts"
import * as NoteRows from "./NoteRows.ts"
import * as Phrases from "./Phrases.ts"
import * as Words from "./Words.ts"

/** The minimum number of notes for the rarity of words; a smaller store counts as if it had this size. */
const minNotes = 64

/** Counts the notes with a word and, in the same pass, finds which of the rows have it. */
const notesWith = `SELECT count(*) AS notes,
    json_group_array(rowid) FILTER (WHERE +rowid IN (SELECT value FROM json_each(?2))) AS rows
  FROM notes_words WHERE notes_words MATCH ?1`

/** Returns the weight of a word: 0 if all notes have it, near 1 if a single note has it, for any number of notes. */
const weightOf = (notesWithWords: number, notes: number): number =>
  Math.max(0, Math.log((notes + 1) / (notesWithWords + 0.5)) / Math.log(notes + 1))

interface WordMatches {
  readonly notes: number
  readonly rows: ReadonlyArray<number>
}

/** Returns the notes that have the words in sequence. */
const notesWithWords = (database: Database, words: ReadonlyArray<string>, rows: string): WordMatches => {
  const read = database.get(notesWith, [`words : "${words.join(" ")}"`, rows])
  return { notes: Number(read?.["notes"]), rows: JSON.parse(String(read?.["rows"])) as ReadonlyArray<number> }
}

/** The factor for the weight of a common word, because such a word looks rare among few notes. */
const commonShare = 0.7

const none: NoteStore.Weights = { all: 0, found: new Map() }

/**
 * The likelihood that a similar word or abbreviation was meant. The ranking already prefers the word itself, so this
 * value is higher than the `share` of an expansion.
 */
const confidence = (share: number): number => (1 + share) / 2

/**
 * Weighs the words of a text in the rows. An expansion, which is a similar word or an abbreviation, has a share of its
 * word's weight; for a word in no note, the weight of the expansion is used.
 */
export const weightsOf = (
  database: Database,
  { user: name }: NoteStore.NoteScope,
  { rows, text }: { readonly text: string; readonly rows: ReadonlyArray<number> }
): NoteStore.Weights => {
  const user = NoteRows.userNumber(database, name)
  if (user === null) return none
  const { dropped, written } = NoteReads.counters(database)
  const total = Math.max(minNotes, written - dropped)
  const wanted = JSON.stringify(rows)
  const has = (words: ReadonlyArray<string>) =>
    notesWithWords(
      database,
      words.map((word) => Words.storedWord(user, word)),
      wanted
    )
  const expansions = LastExpansion.lastExpansion(database, user, text).map((each) => ({ ...each, ...has(each.words) }))
  const found = new Map<number, number>()
  let all = 0
  for (const word of FunctionWords.topicWords(NoteWords.queryWords(text))) {
    const exactMatches = has([word])
    const folded = Phrases.fold(word)
    const others = expansions.filter(({ standsFor }) => standsFor.includes(folded))
    const rarity = weightOf(
      exactMatches.notes > 0 ? exactMatches.notes : Math.max(0, ...others.map(({ notes }) => notes)),
      total
    )
    const weight = CommonWords.has(word) ? commonShare * rarity : rarity
    all += weight
    const shares = new Map<number, number>()
    for (const { rows: those, share } of [
      ...others.toSorted((left, right) => left.share - right.share),
      { ...exactMatches, share: 1 }
    ]) {
      for (const row of those) shares.set(row, share)
    }
    for (const [row, share] of shares) found.set(row, (found.get(row) ?? 0) + confidence(share) * weight)
  }
  return { all, found }
}

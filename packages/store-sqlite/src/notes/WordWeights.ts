/** How much of what the words of a text weigh each of some notes has. */
import type { Database } from "../driver/Database.ts"
import { type NoteStore } from "@bough/tool"
import { NoteWords } from "@bough/text"
import * as LastExpansion from "./LastExpansion.ts"
import * as FunctionWords from "./FunctionWords.ts"
import * as NoteReads from "./NoteReads.ts"
import * as NoteRows from "./NoteRows.ts"
import * as Phrases from "./Phrases.ts"
import * as Words from "./Words.ts"

/** How rare a word is, fewer notes than these cannot tell. */
const fewestNotes = 64

/** One reading of a word's notes gives both how many have it and which of the rows do. */
const notesWith = `SELECT count(*) AS notes,
    json_group_array(rowid) FILTER (WHERE +rowid IN (SELECT value FROM json_each(?2))) AS rows
  FROM notes_words WHERE notes_words MATCH ?1`

/** 1 for a word that half a note has of any number of notes; nothing for one that all have. */
const weightOf = (having: number, notes: number): number =>
  Math.max(0, Math.log((notes + 1) / (having + 0.5)) / Math.log(notes + 1))

interface Having {
  readonly notes: number
  readonly rows: ReadonlyArray<number>
}

/** Those that have the words one after another. */
const having = (database: Database, words: ReadonlyArray<string>, rows: string): Having => {
  const read = database.get(notesWith, [`words : "${words.join(" ")}"`, rows])
  return { notes: Number(read?.["notes"]), rows: JSON.parse(String(read?.["rows"])) as ReadonlyArray<number> }
}

const none: NoteStore.Weights = { all: 0, found: new Map() }

/** Ranking takes care that nothing goes before the word itself; that it was meant is likelier than that. */
const confidence = (share: number): number => (1 + share) / 2

/**
 * Weighs the words of a text in the rows. A word that stands in for another counts for a part of it; a word that no
 * note has gets the weight of its stand-in.
 */
export const weightsOf = (
  database: Database,
  { user: name }: NoteStore.NoteScope,
  { rows, text }: { readonly text: string; readonly rows: ReadonlyArray<number> }
): NoteStore.Weights => {
  const user = NoteRows.userNumber(database, name)
  if (user === null) return none
  const { dropped, written } = NoteReads.counters(database)
  const total = Math.max(fewestNotes, written - dropped)
  const wanted = JSON.stringify(rows)
  const has = (words: ReadonlyArray<string>) =>
    having(
      database,
      words.map((word) => Words.stored(user, word)),
      wanted
    )
  const expansions = LastExpansion.lastExpansion(database, user, text).map((each) => ({ ...each, ...has(each.words) }))
  const found = new Map<number, number>()
  let all = 0
  for (const word of NoteWords.asked(text).filter((asked) => !FunctionWords.has(asked))) {
    const own = has([word])
    const folded = Phrases.fold(word)
    const others = expansions.filter(({ standsFor }) => standsFor.includes(folded))
    const weight = weightOf(own.notes > 0 ? own.notes : Math.max(0, ...others.map(({ notes }) => notes)), total)
    all += weight
    const shares = new Map<number, number>()
    for (const { rows: those, share } of [
      ...others.toSorted((left, right) => left.share - right.share),
      { ...own, share: 1 }
    ]) {
      for (const row of those) shares.set(row, share)
    }
    for (const [row, share] of shares) found.set(row, (found.get(row) ?? 0) + confidence(share) * weight)
  }
  return { all, found }
}

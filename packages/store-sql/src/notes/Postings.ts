/** What the full-text index has of a word. */
import type { Database } from "@bough/sqlite"
import * as WordEntry from "./WordEntry.ts"

export interface Postings {
  /** As WordEntry numbers them, ascending. */
  readonly notes: ReadonlyArray<number>
  /** How many times each of them has it. */
  readonly counts: ReadonlyArray<number>
}

/** As one value: thousands of rows would take longer. */
const newestFirst = `SELECT json_group_array(rowid) AS entries FROM
  (SELECT rowid FROM notes_words WHERE notes_words MATCH ? ORDER BY rowid DESC LIMIT ?)`
const oldestFirst = newestFirst.replace("DESC", "ASC")

export interface Bounds {
  readonly most: number
  readonly which: "Newest" | "Oldest"
}

/** At most so many entries of the notes that match; `complete`: there are no more. */
export const read = (
  database: Database,
  match: string,
  { most, which }: Bounds
): Postings & { readonly complete: boolean } => {
  const sql = which === "Newest" ? newestFirst : oldestFirst
  const entries = JSON.parse(String(database.get(sql, [match, most + 1])?.["entries"])) as Array<number> // as SQLite made it
  const complete = entries.length <= most
  if (!complete) entries.pop()
  return { ...counted(which === "Newest" ? entries.toReversed() : entries), complete }
}

/** A note is once among the entries for each time that it has the word. */
const counted = (entries: ReadonlyArray<number>): Postings => {
  const notes: Array<number> = []
  const counts: Array<number> = []
  for (const entry of entries) {
    const note = WordEntry.noteOf(entry)
    if (note === notes[notes.length - 1]) counts[counts.length - 1]++
    else {
      notes.push(note)
      counts.push(1)
    }
  }
  return { notes, counts }
}

/** Each note once, as the last of them has it. */
export const union = (all: ReadonlyArray<Postings>): Postings => {
  const found = new Map<number, number>()
  for (const { counts, notes } of all) notes.forEach((note, index) => found.set(note, counts[index]))
  const notes = [...found.keys()].toSorted((left, right) => left - right)
  return { notes, counts: notes.map((note) => found.get(note)!) }
}

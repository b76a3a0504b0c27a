/** What the full-text index holds of each note: its words, and what it can be filtered by. */
import type { Database } from "@bough/sqlite"
import { type NoteStore, NoteWords } from "@bough/tool"
import * as NoteRows from "./NoteRows.ts"
import * as WordEntry from "./WordEntry.ts"
import * as Words from "./Words.ts"

/** `turns[n]`: each word that is there more than n times. How often one that says nothing is there, nobody asks. */
const turnsOf = (words: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const turns = [new Set<string>()]
  for (const word of words) {
    if (turns[0].has(word) && !NoteWords.isTelling(word)) continue
    const turn = turns.findIndex((have) => !have.has(word))
    if (turn >= 0) turns[turn].add(word)
    else if (turns.length < WordEntry.mostTimes) turns.push(new Set([word]))
  }
  return turns.map((turn) => [...turn])
}

export const add = (database: Database, { kind, row, tags, text, user }: NoteStore.IndexRow): void => {
  const words = NoteWords.stored(text)
  const scope = Words.scope(user, kind, tags)
  turnsOf(words).forEach((turn, before) => {
    database.run("INSERT INTO notes_words (rowid, words, scope) VALUES (?, ?, ?)", [
      WordEntry.of(row, words.length, before),
      turn.map((word) => Words.stored(user, word)).join(" "),
      scope
    ])
  })
}

/** By the index's own table of lengths: of a range FTS5 would look at every entry that there is. */
export const drop = (database: Database, row: number): void => {
  database.run(
    "DELETE FROM notes_words WHERE rowid IN (SELECT id FROM notes_words_docsize WHERE id BETWEEN ? AND ?)",
    WordEntry.boundsOf(row)
  )
}

/** From the notes, in place of an index of another form. */
export const rebuild = (database: Database): void => {
  database.exec(`
    DROP TABLE notes_words;
    CREATE VIRTUAL TABLE notes_words USING fts5 (
      words, scope, content = '', contentless_delete = 1,
      tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* M* Co'"
    );
  `)
  const notes = database.prepare(`SELECT ${NoteRows.columns} FROM notes WHERE removed = 0 ORDER BY row`)
  for (const row of notes.iterate()) add(database, NoteRows.indexRowOf(row))
}

/** The full-text index beside the notes: the words of each note, and the values for its filters. */
import { NoteWords } from "@bough/text"
import { type NoteStore } from "@bough/tool"
import type { Database } from "../driver/Database.ts"
import { storedNotes } from "./storedNotes.ts"
import * as Words from "./Words.ts"

const entryOf = ({ row, text, user, ...filtered }: NoteStore.IndexRow): ReadonlyArray<unknown> => [
  row,
  NoteWords.storedWords(text)
    .map((word) => Words.storedWord(user, word))
    .join(" "),
  Words.scope({ user, ...filtered })
]

export const add = (database: Database, note: NoteStore.IndexRow): void => {
  database.run("INSERT INTO notes_words (rowid, words, scope) VALUES (?, ?, ?)", entryOf(note))
}

/**
 * Removes a note with exactly the words that were added: FTS5 then keeps exact counts of notes and words, which BM25
 * needs.
 */
export const drop = (database: Database, note: NoteStore.IndexRow): void => {
  database.run("INSERT INTO notes_words (notes_words, rowid, words, scope) VALUES ('delete', ?, ?, ?)", entryOf(note))
}

/** Rebuilds the index from the notes, replacing an index in an older format. */
export const rebuild = (database: Database): void => {
  database.exec(`
    DROP TABLE notes_words;
    CREATE VIRTUAL TABLE notes_words USING fts5 (
      words, scope, content = '', tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* M* Co'"
    );
  `)
  for (const note of storedNotes(database)) add(database, note)
}

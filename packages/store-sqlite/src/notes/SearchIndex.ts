/** All indexes by which notes are found, written in the same transaction as the notes, and so always up to date. */
import type { NoteStore } from "@bough/tool"
import type { Database } from "../driver/Database.ts"
import * as Initials from "./Initials.ts"
import * as NoteVectors from "./NoteVectors.ts"
import { storedNotes } from "./storedNotes.ts"
import * as Vocabulary from "./Vocabulary.ts"
import * as WordIndex from "./WordIndex.ts"

export const add = (database: Database, note: NoteStore.IndexRow): void => {
  WordIndex.add(database, note)
  Vocabulary.add(database, note.user, note.text)
  Initials.add(database, note)
}

export const drop = (database: Database, note: NoteStore.IndexRow): void => {
  WordIndex.drop(database, note)
  Vocabulary.drop(database, note.user, note.text)
  Initials.drop(database, note)
  NoteVectors.drop(database, note.row)
}

/** Builds the tables for spellings and initials from the notes. */
export const makeVocabulary = (database: Database): void => {
  database.exec(`
    CREATE TABLE note_vocabulary (
      user INTEGER NOT NULL REFERENCES note_users,
      word TEXT NOT NULL,
      notes INTEGER NOT NULL,
      PRIMARY KEY (user, word)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE note_initials (
      user INTEGER NOT NULL REFERENCES note_users,
      row INTEGER NOT NULL,
      initials TEXT NOT NULL,
      PRIMARY KEY (user, row)
    ) STRICT, WITHOUT ROWID;
  `)
  for (const note of storedNotes(database)) {
    Vocabulary.add(database, note.user, note.text)
    Initials.add(database, note)
  }
}

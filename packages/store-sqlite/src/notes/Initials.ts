/** The initials of the words of each note, for finding phrases that a short form of initials abbreviates. */
import { NoteWords } from "@bough/text"
import { type NoteStore } from "@bough/tool"
import type { Database } from "../driver/Database.ts"
import * as NoteReads from "./NoteReads.ts"
import * as Phrases from "./Phrases.ts"

/** The number of characters of a text whose initials are indexed; a longer text is a document rather than a note. */
const maxLength = 4000

const initialsOf = (phrase: Phrases.Phrase): string =>
  phrase.map(({ word }) => String.fromCodePoint(word.codePointAt(0) ?? 0)).join("")

/** Returns the initials of each phrase, with its function words and without them. */
const ofText = (text: string): string =>
  Phrases.phrasesOf(text)
    .flatMap((phrase) => [
      ...new Set([initialsOf(phrase), initialsOf(phrase.filter(({ word }) => NoteWords.isTelling(word)))])
    ])
    .filter((initials) => initials.length > 1)
    .join(" ")
    .slice(0, maxLength)

export const add = (database: Database, { row, text, user }: NoteStore.IndexRow): void => {
  const initials = ofText(text)
  if (initials !== "")
    database.run("INSERT INTO note_initials (user, row, initials) VALUES (?, ?, ?)", [user, row, initials])
}

export const drop = (database: Database, { row, user }: NoteStore.IndexRow): void => {
  database.run("DELETE FROM note_initials WHERE user = ? AND row = ?", [user, row])
}

/** The maximum number of rows that are scanned, newest first: a tenth of a microsecond each. */
const maxRows = 50_000

/** Returns texts of notes in which consecutive words have one of the given initials, the newest first. */
export const textsWith = (
  database: Database,
  user: number,
  { limit, wanted }: { readonly wanted: ReadonlyArray<string>; readonly limit: number }
): ReadonlyArray<string> => {
  if (wanted.length === 0) return []
  const { written } = NoteReads.counters(database)
  return database
    .all(
      `SELECT text FROM notes WHERE row IN (
         SELECT row FROM note_initials WHERE user = ? AND row > ? AND (${wanted.map(() => "instr(initials, ?)").join(" OR ")})
         ORDER BY row DESC LIMIT ?) ORDER BY row DESC`,
      [user, written - maxRows, ...wanted, limit]
    )
    .map((row) => String(row["text"]))
}

/**
 * The words of each user's notes as they are spelled, for correcting a query's words that no note has. Short forms are
 * marked.
 */
import { EditDistance, NoteWords } from "@bough/text"
import type { Database } from "../driver/Database.ts"
import * as Abbreviation from "./Abbreviation.ts"
import * as Phrases from "./Phrases.ts"

/** The shortest word that is corrected: shorter ones are similar to too many others. */
const minLength = 3
const letters = /^[\p{L}\p{M}]+$/u
/** Marks a short form; no word begins with it. */
const mark = "#"

/** True for a word with a spelling; false for a number or a version. */
export const isSpelled = (word: string): boolean =>
  word.length >= minLength && letters.test(word) && NoteWords.isTelling(word)

const wordsOf = (text: string): ReadonlyArray<string> => [
  ...new Set(
    Phrases.phrasesOf(text)
      .flat()
      .flatMap(({ word, written }) => {
        const short = Abbreviation.shortForm(written)
        return [...(isSpelled(word) ? [word] : []), ...(short === null ? [] : [mark + short])]
      })
  )
]

export const add = (database: Database, user: number, text: string): void => {
  database.run(
    `INSERT INTO note_vocabulary (user, word, notes) SELECT ?, value, 1 FROM json_each(?) WHERE true
     ON CONFLICT (user, word) DO UPDATE SET notes = notes + 1`,
    [user, JSON.stringify(wordsOf(text))]
  )
}

export const drop = (database: Database, user: number, text: string): void => {
  const parameters = [user, JSON.stringify(wordsOf(text))]
  const condition = "user = ? AND word IN (SELECT value FROM json_each(?))"
  database.run(`UPDATE note_vocabulary SET notes = notes - 1 WHERE ${condition}`, parameters)
  database.run(`DELETE FROM note_vocabulary WHERE notes <= 0 AND ${condition}`, parameters)
}

/**
 * Returns, for each word, the number of notes that contain it in exactly that spelling; words that no note contains are
 * left out.
 */
export const counts = (database: Database, user: number, words: ReadonlyArray<string>): ReadonlyMap<string, number> =>
  new Map(
    database
      .all("SELECT word, notes FROM note_vocabulary WHERE user = ? AND word IN (SELECT value FROM json_each(?))", [
        user,
        JSON.stringify(words)
      ])
      .map(({ notes, word }) => [String(word), Number(notes)])
  )

/** Reads the words as one value, since thousands of rows would take longer. */
const readWords = (
  database: Database,
  condition: string,
  parameters: ReadonlyArray<unknown>
): ReadonlyArray<string> => {
  const words = database.get(
    `SELECT group_concat(word, ' ') AS words FROM note_vocabulary WHERE ${condition}`,
    parameters
  )
  const list = words?.["words"]
  return typeof list === "string" ? list.split(" ") : []
}

/** Returns words with that prefix in alphabetical order. */
export const wordsWithPrefix = (database: Database, user: number, prefix: string): ReadonlyArray<string> =>
  readWords(database, "user = ? AND word >= ? AND word < ?", [user, prefix, `${prefix}\u{10ffff}`])

/** Returns longer words that end with the word. */
export const wordsWithSuffix = (database: Database, user: number, word: string): ReadonlyArray<string> =>
  readWords(database, "user = ? AND length(word) > ? AND substr(word, ?) = ?", [user, word.length, -word.length, word])

/** Returns words that have one of the parts. */
export const wordsWithPart = (database: Database, user: number, parts: ReadonlyArray<string>): ReadonlyArray<string> =>
  readWords(
    database,
    `user = ? AND word >= 'a' AND length(word) >= ? AND (${parts.map(() => "instr(word, ?) > 0").join(" OR ")})`,
    [user, Math.min(...parts.map(({ length }) => length)), ...parts]
  )

/** Returns the short forms in lower case. */
export const shortForms = (database: Database, user: number): ReadonlyArray<string> =>
  wordsWithPrefix(database, user, mark).map((word) => word.slice(mark.length))

/** True if some word begins with the word's first two letters, and some word ends with its last two. */
export const hasEdges = (database: Database, user: number, word: string): boolean =>
  database.get("SELECT 1 FROM note_vocabulary WHERE user = ? AND word >= ? AND word < ? LIMIT 1", [
    user,
    word.slice(0, 2),
    `${word.slice(0, 2)}\u{10ffff}`
  ]) !== undefined &&
  database.get("SELECT 1 FROM note_vocabulary WHERE user = ? AND substr(word, -2) = ? LIMIT 1", [
    user,
    word.slice(-2)
  ]) !== undefined

/** The maximum number of edits between a word of that length and the intended word. */
const maxEdits = (length: number): number => (length < 4 ? 0 : length < 6 ? 1 : 2)

export interface SimilarWord {
  readonly word: string
  readonly edits: number
}

/** The maximum number of corrections of one word, all equally near. */
const maxNear = 8

/**
 * Returns the nearest spellings that share the first or the last letters: few misspellings change both, so only a
 * quarter of the words has to be compared.
 */
export const similarWords = (database: Database, user: number, word: string): ReadonlyArray<SimilarWord> => {
  const editLimit = maxEdits(word.length)
  if (editLimit === 0) return []
  const candidates = readWords(
    database,
    "user = ? AND length(word) BETWEEN ? AND ? AND (substr(word, 1, 1) = ? OR substr(word, -1) = ?)",
    [user, word.length - editLimit, word.length + editLimit, word.charAt(0), word.slice(-1)]
  )
  let minDistance = editLimit
  let found: Array<SimilarWord> = []
  for (const candidate of candidates) {
    const edits = EditDistance.distance(word, candidate, minDistance)
    if (edits > minDistance) continue
    if (edits < minDistance) found = []
    minDistance = edits
    found.push({ word: candidate, edits })
  }
  return found.slice(0, maxNear)
}

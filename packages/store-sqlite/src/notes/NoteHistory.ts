/** Earlier texts of notes, and those of superseded notes: written when a text is replaced, never found by a search. */
import { Note } from "@bough/protocol"
import type { NoteStore } from "@bough/tool"
import type { Database, Row } from "../driver/Database.ts"
import * as NoteReads from "./NoteReads.ts"
import * as NoteRows from "./NoteRows.ts"

/** A version that ended, with the cause. */
export interface PastVersion {
  readonly user: number
  readonly note: Note.Note
  /** The note whose history the version joins. */
  readonly of: string
  readonly reason: Note.EndReason
  readonly by: string
  readonly atMillis: number
}

const insert = (database: Database, { note, user, ...end }: PastVersion): void => {
  database.run(
    `INSERT INTO note_history (user, of_note, reason, ended_by, ended_at_millis, note_id, project, kind, text, tags, source,
       untrusted, created_at_millis, updated_at_millis, valid_until_millis) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      user,
      end.of,
      NoteRows.reasonNumber(end.reason),
      end.by.toWellFormed(),
      end.atMillis,
      note.noteId,
      NoteRows.makeProject(database, user, note.project),
      NoteRows.kindNumber(note.kind),
      note.text,
      JSON.stringify(note.tags),
      note.source,
      note.untrusted,
      note.createdAtMillis,
      note.updatedAtMillis,
      note.validUntilMillis
    ]
  )
}

const trim = (database: Database, user: number, of: string): void => {
  database.run(
    `DELETE FROM note_history WHERE user = ?1 AND of_note = ?2 AND entry NOT IN
       (SELECT entry FROM note_history WHERE user = ?1 AND of_note = ?2 ORDER BY ended_at_millis DESC, entry DESC LIMIT ?3)`,
    [user, of, Note.maxHistory]
  )
}

/** Adds the former version of a note, and that note's history, to the history of another note. */
export const add = (database: Database, ended: PastVersion): void => {
  const { note, of: to, user } = ended
  insert(database, ended)
  if (to === note.noteId) trim(database, user, to)
  else move(database, user, { from: note.noteId, to })
}

/** Moves one note's history into another's. */
export const move = (
  database: Database,
  user: number,
  { from, to }: { readonly from: string; readonly to: string }
): void => {
  if (from === to) return
  database.run("UPDATE note_history SET of_note = ? WHERE user = ? AND of_note = ?", [to, user, from])
  trim(database, user, to)
}

const ofNote = `user = ?2 AND (of_note = ?4 OR note_id = ?4) AND ${NoteRows.inProject}`

export const historyOf = (
  database: Database,
  noteScope: NoteStore.NoteScope,
  noteId: string
): NoteStore.PastVersions => {
  const scopeParameters = NoteReads.parametersOf(database, noteScope)
  if (scopeParameters === null) return []
  return database
    .all(
      `SELECT ${NoteRows.historyColumns} FROM note_history WHERE ?1 IS NOT NULL AND ${ofNote}
       ORDER BY ended_at_millis DESC, entry DESC`,
      [...scopeParameters, noteId]
    )
    .map(NoteRows.pastVersionOf)
}

/** Erases a note's history, and the note's texts in other histories; returns the number of texts. */
export const erase = (database: Database, noteScope: NoteStore.NoteScope, noteId: string): number => {
  const scopeParameters = NoteReads.parametersOf(database, noteScope)
  if (scopeParameters === null) return 0
  return database.run(`DELETE FROM note_history WHERE ?1 IS NOT NULL AND ${ofNote}`, [...scopeParameters, noteId])
    .changes
}

/** Erases the history of a note whose row is known. */
export const eraseOf = (database: Database, row: Row): void => {
  database.run("DELETE FROM note_history WHERE user = ?1 AND (of_note = ?2 OR note_id = ?2)", [
    row["user"],
    row["note_id"]
  ])
}

const isSame = (one: Note.PastVersion, other: Note.PastVersion): boolean =>
  one.note.noteId === other.note.noteId &&
  one.note.text === other.note.text &&
  one.endedAtMillis === other.endedAtMillis &&
  one.reason === other.reason

/** Adds those versions of an imported note that are missing. */
export const addMissing =
  (noteScope: NoteStore.NoteScope, noteId: Note.NoteId, versions: NoteStore.PastVersions) =>
  (database: Database): void => {
    const user = NoteRows.userNumber(database, noteScope.user)
    if (user === null || NoteReads.get(database, noteScope, noteId) === null) return
    const known = historyOf(database, noteScope, noteId)
    for (const version of versions.toReversed()) {
      if (known.some((one) => isSame(one, version))) continue
      const { endedAtMillis, endedBy, note, reason } = version
      insert(database, { user, note, of: noteId, reason, by: endedBy, atMillis: endedAtMillis })
    }
    trim(database, user, noteId)
  }

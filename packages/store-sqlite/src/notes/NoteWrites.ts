/**
 * Saves, changes and removes notes, and commits or discards staged changes. Each function runs inside a transaction.
 */
import { Note } from "@bough/protocol"
import type { NoteStore } from "@bough/tool"
import type { Database, Row } from "../driver/Database.ts"
import * as NoteHistory from "./NoteHistory.ts"
import * as NoteReads from "./NoteReads.ts"
import * as NoteRows from "./NoteRows.ts"
import * as SearchIndex from "./SearchIndex.ts"

type Version = Note.Note & {
  readonly user: number
  readonly hold: string
  /** One of `NoteRows.removals`. */
  readonly removed: number
  readonly by: string
  /** "": no note. */
  readonly supersededBy: string
}

const currentFields = { removed: NoteRows.removals.none, supersededBy: "" } as const

/** Writes a row with its words. A staged removal has no words. */
const insert = (database: Database, note: Version): number => {
  const tags = NoteRows.makeTags(database, note.user, note.tags)
  const project = NoteRows.makeProject(database, note.user, note.project)
  const kind = NoteRows.kindNumber(note.kind)
  const { lastInsertRowid } = database.run(
    `INSERT INTO notes (user, note_id, hold, removed, kind, text, same_text, tags, tag_numbers, source, untrusted,
       created_at_millis, updated_at_millis, project, valid_until_millis, written_by, superseded_by)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      note.user,
      note.noteId,
      note.hold,
      note.removed,
      kind,
      note.text,
      NoteRows.textDigest(note.text),
      JSON.stringify(note.tags),
      JSON.stringify(tags),
      note.source,
      note.untrusted,
      note.createdAtMillis,
      note.updatedAtMillis,
      project,
      note.validUntilMillis,
      note.by,
      note.supersededBy
    ]
  )
  const row = Number(lastInsertRowid)
  if (note.removed === NoteRows.removals.none) {
    SearchIndex.add(database, { row, user: note.user, project, kind, tags, text: note.text })
  }
  return row
}

/** Removes a row from the indexes, which contain only committed rows. */
const drop = (database: Database, row: Row): void => {
  database.run("DELETE FROM notes WHERE row = ?", [row["row"]])
  if (row["removed"] === 0) SearchIndex.drop(database, NoteRows.indexRowOf(row))
  if (row["hold"] === "") database.run("INSERT INTO note_drops (row) VALUES (?)", [row["row"]])
}

interface Key {
  readonly user: number
  readonly noteId: string
  readonly hold: string
}

const rowOf = (database: Database, { hold, noteId, user }: Key): Row | undefined =>
  database.get(`SELECT ${NoteRows.columns} FROM notes WHERE user = ? AND note_id = ? AND hold = ?`, [
    user,
    noteId,
    hold
  ])

const isSameVersion = (one: Note.Note, other: Note.Note): boolean =>
  one.text === other.text &&
  one.kind === other.kind &&
  one.tags.join("\n") === other.tags.join("\n") &&
  one.project === other.project &&
  one.validUntilMillis === other.validUntilMillis

/** Adds the committed version to the history if the note that replaces it differs. */
const outdate = (database: Database, before: Row, note: Note.Note & { readonly by: string }): void => {
  const was = NoteRows.noteOf(before)
  if (before["hold"] !== "" || isSameVersion(was, note)) return
  NoteHistory.add(database, {
    user: Number(before["user"]),
    note: was,
    of: note.noteId,
    reason: "updated",
    by: note.by,
    atMillis: note.updatedAtMillis
  })
}

const replace = (database: Database, note: Version): void => {
  const before = rowOf(database, note)
  if (before !== undefined) {
    drop(database, before)
    outdate(database, before, note)
  }
  insert(database, note)
}

/** The kind of removal, one of `NoteRows.removals`, and the note that receives the texts. */
interface NoteRemoval {
  readonly removed: number
  readonly by: string
  readonly supersededBy: string
  readonly atMillis: number
}

/** Removes the committed version, and moves its texts to the note that `going` names. */
const removeCommitted = (database: Database, row: Row, going: NoteRemoval): void => {
  const note = NoteRows.noteOf(row)
  const user = Number(row["user"])
  const { atMillis, by, removed, supersededBy } = going
  drop(database, row)
  if (removed === NoteRows.removals.erased) NoteHistory.eraseOf(database, row)
  if (removed === NoteRows.removals.kept) {
    NoteHistory.add(database, { user, note, of: note.noteId, reason: "removed", by, atMillis })
  }
  if (removed === NoteRows.removals.superseded) {
    NoteHistory.add(database, { user, note, of: supersededBy, reason: "superseded", by, atMillis })
  }
}

/**
 * Removes a note; false: no such note is visible in the scope. Under a staging key it is only hidden until the key is
 * settled.
 */
const removeAt = (
  database: Database,
  noteScope: NoteStore.NoteScope,
  { noteId, ...going }: NoteRemoval & { readonly noteId: Note.NoteId }
): boolean => {
  const before = NoteReads.get(database, noteScope, noteId)
  const user = NoteRows.userNumber(database, noteScope.user)
  if (before === null || user === null) return false
  const shared = rowOf(database, { user, noteId, hold: "" })
  if (noteScope.hold === null) {
    if (shared !== undefined) removeCommitted(database, shared, going)
    return true
  }
  const stored = rowOf(database, { user, noteId, hold: noteScope.hold })
  if (stored !== undefined) drop(database, stored)
  if (shared !== undefined) {
    const { atMillis, ...how } = going
    insert(database, { ...before, ...how, user, hold: noteScope.hold, updatedAtMillis: atMillis })
  }
  return true
}

interface NoteSupersession {
  readonly noteId: Note.NoteId
  readonly supersedes: ReadonlyArray<Note.NoteId>
  readonly source: string
  readonly atMillis: number
}

/** Removes the notes that a note supersedes, if they exist and are not the note itself. */
const supersede = (
  database: Database,
  noteScope: NoteStore.NoteScope,
  { atMillis, noteId, source, supersedes }: NoteSupersession
): void => {
  const going = { removed: NoteRows.removals.superseded, by: source, supersededBy: noteId, atMillis }
  for (const old of supersedes) {
    if (old !== noteId) removeAt(database, noteScope, { ...going, noteId: old })
  }
}

export const save =
  (noteScope: NoteStore.NoteScope, draft: NoteStore.Draft) =>
  (database: Database, nowMillis: number): NoteStore.SaveResult => {
    const { supersedes: named = [] } = draft
    const source = draft.source.toWellFormed()
    const project = draft.project ?? null
    // A note of another project is not a duplicate, because it is not visible in this one.
    const reach = { user: noteScope.user, hold: noteScope.hold, project }
    const twin = NoteReads.noteWithSameText(database, reach, draft.text)
    // Saving an ended text again makes a new note, whose history contains the ended one.
    const endedTwin = twin !== null && Note.isEnded(twin, nowMillis) ? twin : null
    const supersedes = endedTwin === null ? named : [...named, endedTwin.noteId]
    const known =
      NoteReads.get(database, { ...noteScope, everyProject: true }, draft.noteId) ?? (endedTwin === null ? twin : null)
    if (known !== null) {
      supersede(database, noteScope, { noteId: known.noteId, supersedes, source, atMillis: nowMillis })
      return { status: "Kept", note: known }
    }
    const note: Note.Note = {
      noteId: draft.noteId,
      kind: draft.kind,
      text: draft.text.toWellFormed(),
      tags: draft.tags,
      source,
      untrusted: draft.untrusted,
      createdAtMillis: draft.createdAtMillis ?? nowMillis,
      updatedAtMillis: draft.updatedAtMillis ?? nowMillis,
      project,
      validUntilMillis: draft.validUntilMillis ?? null
    }
    const user = NoteRows.makeUser(database, noteScope.user)
    replace(database, { ...note, ...currentFields, user, hold: noteScope.hold ?? "", by: source })
    supersede(database, noteScope, { noteId: note.noteId, supersedes, source, atMillis: nowMillis })
    return { status: "Saved", note }
  }

/** True if the caller's version of the note equals the stored version in all fields that can change. */
const isExpected = (note: Note.Note, expected: Note.Note = note): boolean =>
  note.text === expected.text &&
  note.kind === expected.kind &&
  note.updatedAtMillis === expected.updatedAtMillis &&
  note.tags.join("\n") === expected.tags.join("\n")

export const update =
  (noteScope: NoteStore.NoteScope, noteId: Note.NoteId, change: NoteStore.Change) =>
  (database: Database, nowMillis: number): Note.Note | null => {
    const before = NoteReads.get(database, noteScope, noteId)
    const user = NoteRows.userNumber(database, noteScope.user)
    if (before === null || user === null || !isExpected(before, change.expected)) return null
    const { by = "", project = before.project, validUntilMillis = before.validUntilMillis } = change
    const note: Note.Note = {
      ...before,
      text: change.text?.toWellFormed() ?? before.text,
      kind: change.kind ?? before.kind,
      tags: change.tags ?? before.tags,
      untrusted: before.untrusted || change.untrusted,
      updatedAtMillis: change.updatedAtMillis ?? nowMillis,
      project,
      validUntilMillis
    }
    replace(database, { ...note, ...currentFields, user, hold: noteScope.hold ?? "", by: by.toWellFormed() })
    return note
  }

const erased: NoteStore.Removal = { history: "Erase", by: "" }

export const remove =
  (noteScope: NoteStore.NoteScope, noteId: Note.NoteId, { by, history }: NoteStore.Removal = erased) =>
  (database: Database, nowMillis: number): boolean => {
    if (history === "Only") return NoteHistory.erase(database, noteScope, noteId) > 0
    const removed = history === "Erase" ? NoteRows.removals.erased : NoteRows.removals.kept
    if (removeAt(database, noteScope, { noteId, removed, by, supersededBy: "", atMillis: nowMillis })) return true
    // Only the history of a removed or superseded note remains.
    return noteScope.hold === null && history === "Erase" && NoteHistory.erase(database, noteScope, noteId) > 0
  }

/**
 * Commits or discards staged rows. They are committed as new rows, because an index may have processed rows beyond
 * their numbers. Removals come first, because a text may have moved from one note to another.
 */
export const endStaging =
  (hold: string, end: "Keep" | "Drop") =>
  (database: Database): number => {
    if (hold === "") return 0
    const stagedRows = database.all(`SELECT ${NoteRows.columns} FROM notes WHERE hold = ? ORDER BY removed = 0, row`, [
      hold
    ])
    for (const row of stagedRows) {
      drop(database, row)
      if (end === "Keep") keep(database, row)
    }
    return stagedRows.length
  }

const keep = (database: Database, row: Row): void => {
  const user = Number(row["user"])
  const note = { ...NoteRows.noteOf(row), by: String(row["written_by"]) }
  const before = rowOf(database, { user, noteId: note.noteId, hold: "" })
  const removed = Number(row["removed"])
  if (removed !== NoteRows.removals.none) {
    const supersededBy = String(row["superseded_by"])
    const going = { removed, by: note.by, supersededBy, atMillis: note.updatedAtMillis }
    if (before !== undefined) removeCommitted(database, before, going)
    return
  }
  if (before !== undefined) {
    drop(database, before)
    outdate(database, before, note)
  }
  const twin = database.get(
    "SELECT note_id FROM notes WHERE user = ? AND same_text = ? AND hold = '' AND project = ?",
    [user, NoteRows.textDigest(note.text), row["project"]]
  )
  // Another session has saved the same text, which is enough. A change to an existing note is still saved.
  if (twin === undefined || before !== undefined) insert(database, { ...note, ...currentFields, user, hold: "" })
  else NoteHistory.move(database, user, { from: note.noteId, to: String(twin["note_id"]) })
}

/** Discards the changes that sessions of a removed tree staged and can no longer commit. */
export const discardStagedBy = (database: Database, treeId: string): void => {
  const stagedRows = database.all(
    `SELECT ${NoteRows.columns} FROM notes WHERE hold <> '' AND EXISTS (SELECT 1 FROM sessions
       WHERE tree_id = ? AND substr(hold, 1, length(session_id) + 1) = session_id || '/')`,
    [treeId]
  )
  for (const row of stagedRows) drop(database, row)
}

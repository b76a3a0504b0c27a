/** Saving, changing, removing, and settling what was held. Each is run inside a transaction. */
import type { Note } from "@bough/protocol"
import type { Database, Row } from "@bough/sqlite"
import type { NoteStore } from "@bough/tool"
import * as WordIndex from "./WordIndex.ts"
import * as NoteReads from "./NoteReads.ts"
import * as NoteRows from "./NoteRows.ts"

type Version = Note.Note & { readonly user: number; readonly hold: string; readonly removed: boolean }

/** Writes a row with its words. A removal that is held has none. */
const insert = (database: Database, note: Version): number => {
  const tags = NoteRows.makeTags(database, note.user, note.tags)
  const kind = NoteRows.kindNumber(note.kind)
  const { lastInsertRowid } = database.run(
    `INSERT INTO notes (user, note_id, hold, removed, kind, text, same_text, tags, tag_numbers, source, untrusted,
       created_at_millis, updated_at_millis) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      note.user,
      note.noteId,
      note.hold,
      note.removed,
      kind,
      note.text,
      NoteRows.sameText(note.text),
      JSON.stringify(note.tags),
      JSON.stringify(tags),
      note.source,
      note.untrusted,
      note.createdAtMillis,
      note.updatedAtMillis
    ]
  )
  const row = Number(lastInsertRowid)
  if (!note.removed) {
    WordIndex.add(database, { row, user: note.user, kind, tags, text: note.text })
  }
  return row
}

/** Only what was everybody's may be in an index. */
const drop = (database: Database, row: Row): void => {
  database.run("DELETE FROM notes WHERE row = ?", [row["row"]])
  if (row["removed"] === 0) WordIndex.drop(database, NoteRows.indexRowOf(row))
  if (row["hold"] === "") database.run("INSERT INTO note_drops (row) VALUES (?)", [row["row"]])
}

interface Key {
  readonly user: number
  readonly noteId: string
  readonly hold: string
}

const at = (database: Database, { hold, noteId, user }: Key): Row | undefined =>
  database.get(`SELECT ${NoteRows.columns} FROM notes WHERE user = ? AND note_id = ? AND hold = ?`, [
    user,
    noteId,
    hold
  ])

const replace = (database: Database, note: Version): void => {
  const before = at(database, note)
  if (before !== undefined) drop(database, before)
  insert(database, note)
}

export const save =
  (place: NoteStore.Place, draft: NoteStore.Draft) =>
  (database: Database, nowMillis: number): NoteStore.Saved => {
    const known = NoteReads.get(database, place, draft.noteId) ?? NoteReads.sayingTheSame(database, place, draft.text)
    if (known !== null) return { status: "Kept", note: known }
    const note = {
      noteId: draft.noteId,
      kind: draft.kind,
      text: draft.text.toWellFormed(),
      tags: draft.tags,
      source: draft.source.toWellFormed(),
      untrusted: draft.untrusted,
      createdAtMillis: draft.createdAtMillis ?? nowMillis,
      updatedAtMillis: draft.updatedAtMillis ?? nowMillis
    }
    const user = NoteRows.makeUser(database, place.user)
    replace(database, { ...note, user, hold: place.hold ?? "", removed: false })
    return { status: "Saved", note }
  }

export const update =
  (place: NoteStore.Place, noteId: Note.NoteId, change: NoteStore.Change) =>
  (database: Database, nowMillis: number): Note.Note | null => {
    const before = NoteReads.get(database, place, noteId)
    const user = NoteRows.userNumber(database, place.user)
    if (before === null || user === null) return null
    const note: Note.Note = {
      ...before,
      text: change.text?.toWellFormed() ?? before.text,
      kind: change.kind ?? before.kind,
      tags: change.tags ?? before.tags,
      untrusted: before.untrusted || change.untrusted,
      updatedAtMillis: change.updatedAtMillis ?? nowMillis
    }
    replace(database, { ...note, user, hold: place.hold ?? "", removed: false })
    return note
  }

export const remove =
  (place: NoteStore.Place, noteId: Note.NoteId) =>
  (database: Database, nowMillis: number): boolean => {
    const before = NoteReads.get(database, place, noteId)
    const user = NoteRows.userNumber(database, place.user)
    if (before === null || user === null) return false
    const own = at(database, { user, noteId, hold: place.hold ?? "" })
    if (own !== undefined) drop(database, own)
    const shared = place.hold !== null && at(database, { user, noteId, hold: "" }) !== undefined
    if (shared) {
      insert(database, { ...before, user, hold: place.hold, removed: true, updatedAtMillis: nowMillis })
    }
    return true
  }

/** Held rows become everybody's as new rows, so that an index that is past their numbers sees them. */
export const settle =
  (hold: string, end: "Keep" | "Drop") =>
  (database: Database): number => {
    if (hold === "") return 0
    const held = database.all(`SELECT ${NoteRows.columns} FROM notes WHERE hold = ? ORDER BY row`, [hold])
    for (const row of held) {
      drop(database, row)
      if (end === "Keep") keep(database, row)
    }
    return held.length
  }

const keep = (database: Database, row: Row): void => {
  const user = Number(row["user"])
  const note = NoteRows.noteOf(row)
  const before = at(database, { user, noteId: note.noteId, hold: "" })
  if (before !== undefined) drop(database, before)
  if (row["removed"] !== 0) return
  const twin = database.get("SELECT 1 FROM notes WHERE user = ? AND same_text = ? AND hold = ''", [
    user,
    NoteRows.sameText(note.text)
  ])
  // Somebody saved the same meanwhile: once is enough. A change of a note is kept all the same.
  if (twin === undefined || before !== undefined) insert(database, { ...note, user, hold: "", removed: false })
}

/** What sessions of a tree held and nobody settled: nobody will. */
export const dropHeldBy = (database: Database, treeId: string): void => {
  const held = database.all(
    `SELECT ${NoteRows.columns} FROM notes WHERE hold <> '' AND EXISTS (SELECT 1 FROM sessions
       WHERE tree_id = ? AND substr(hold, 1, length(session_id) + 1) = session_id || '/')`,
    [treeId]
  )
  for (const row of held) drop(database, row)
}

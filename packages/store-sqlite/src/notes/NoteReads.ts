/** Reads notes by id, by page and by row. */
import type { Note } from "@bough/protocol"
import type { NoteStore } from "@bough/tool"
import type { Database } from "../driver/Database.ts"
import * as NoteRows from "./NoteRows.ts"

const notes = `SELECT ${NoteRows.columns} FROM notes WHERE ${NoteRows.visible}`

/** Returns the parameters of `NoteRows.visible`; null: the user has no notes. */
export const parametersOf = (
  database: Database,
  noteScope: NoteStore.NoteScope
): readonly [hold: string, user: number, project: number] | null => {
  const user = NoteRows.userNumber(database, noteScope.user)
  return user === null ? null : [noteScope.hold ?? "", user, NoteRows.projectNumber(database, user, noteScope)]
}

export const get = (database: Database, noteScope: NoteStore.NoteScope, noteId: string): Note.Note | null => {
  const scopeParameters = parametersOf(database, noteScope)
  const row =
    scopeParameters === null
      ? undefined
      : database.get(`${notes} AND user = ?2 AND note_id = ?4`, [...scopeParameters, noteId])
  return row === undefined ? null : NoteRows.noteOf(row)
}

export const noteWithSameText = (
  database: Database,
  noteScope: NoteStore.NoteScope,
  text: string
): Note.Note | null => {
  const scopeParameters = parametersOf(database, noteScope)
  if (scopeParameters === null) return null
  const row = database.get(`${notes} AND user = ?2 AND same_text = ?4`, [...scopeParameters, NoteRows.textDigest(text)])
  return row === undefined ? null : NoteRows.noteOf(row)
}

/**
 * Resolves a filter to the numbers in rows; null: no visible note can match. Without kinds it passes all but
 * conversations.
 */
export const toNumberedFilter = (
  database: Database,
  noteScope: NoteStore.NoteScope,
  { kinds, tags }: NoteStore.Filter
): NoteStore.NumberedFilter | null => {
  const user = NoteRows.userNumber(database, noteScope.user)
  const numbers = user === null ? null : NoteRows.tagNumbers(database, user, tags)
  return user === null || numbers === null
    ? null
    : {
        user,
        projects: NoteRows.projectsSeen(NoteRows.projectNumber(database, user, noteScope)),
        tags: numbers,
        kinds: kinds.length === 0 ? NoteRows.defaultKinds : kinds.map(NoteRows.kindNumber)
      }
}

export const list = (
  database: Database,
  noteScope: NoteStore.NoteScope,
  page: NoteStore.Filter & { readonly after: string; readonly limit: number }
): ReadonlyArray<Note.Note> => {
  const filter = toNumberedFilter(database, noteScope, page)
  const scopeParameters = parametersOf(database, noteScope)
  if (filter === null || scopeParameters === null) return []
  return database
    .all(
      `${notes} AND user = ?2 AND note_id > ?4
         AND kind IN (SELECT value FROM json_each(?5))
         AND NOT EXISTS (SELECT 1 FROM json_each(?6) AS wanted
           WHERE NOT EXISTS (SELECT 1 FROM json_each(tag_numbers) AS tag WHERE tag.value = wanted.value))
       ORDER BY note_id LIMIT ?7`,
      [...scopeParameters, page.after, JSON.stringify(filter.kinds), JSON.stringify(filter.tags), page.limit]
    )
    .map(NoteRows.noteOf)
}

export const visible = (
  database: Database,
  noteScope: NoteStore.NoteScope,
  rows: ReadonlyArray<number>
): ReadonlyArray<NoteStore.Row> => {
  const scopeParameters = parametersOf(database, noteScope)
  if (scopeParameters === null) return []
  // Read by row: an index by user would read all notes of the user.
  return database
    .all(`${notes} AND +user = ?2 AND row IN (SELECT value FROM json_each(?4))`, [
      ...scopeParameters,
      JSON.stringify(rows)
    ])
    .map((row) => ({ row: Number(row["row"]), note: NoteRows.noteOf(row) }))
}

export const stagedRows = (database: Database, noteScope: NoteStore.NoteScope): ReadonlyArray<NoteStore.IndexRow> => {
  const scopeParameters = parametersOf(database, noteScope)
  if (scopeParameters === null || noteScope.hold === null) return []
  return database
    .all(
      `SELECT ${NoteRows.columns} FROM notes WHERE hold = ?1 AND user = ?2 AND removed = 0 AND ${NoteRows.inProject}`,
      scopeParameters
    )
    .map(NoteRows.indexRowOf)
}

/** True if changes are staged under that key. */
export const isStaged = (database: Database, hold: string): boolean =>
  hold !== "" && database.get("SELECT 1 FROM notes WHERE hold = ? LIMIT 1", [hold]) !== undefined

export const rows = (database: Database, after: number, limit: number): ReadonlyArray<NoteStore.IndexRow> =>
  database
    .all(`SELECT ${NoteRows.columns} FROM notes WHERE row > ? AND hold = '' ORDER BY row LIMIT ?`, [after, limit])
    .map(NoteRows.indexRowOf)

/**
 * Reads the numbers as one value, because a hundred thousand rows would take longer, and in the order of the index,
 * which is smaller than the table.
 */
export const rowNumbers = (database: Database): Float64Array => {
  const numbers = database.get("SELECT json_group_array(row) AS numbers FROM notes WHERE hold = ''")?.["numbers"]
  return Float64Array.from(JSON.parse(String(numbers)) as ReadonlyArray<number>).toSorted()
}

const sequence = (database: Database, table: string): number =>
  Number(database.get("SELECT seq FROM sqlite_sequence WHERE name = ?", [table])?.["seq"] ?? 0)

export const counters = (database: Database): { readonly written: number; readonly dropped: number } => ({
  written: sequence(database, "notes"),
  dropped: sequence(database, "note_drops")
})

export const removedRows = (database: Database, seen: number, limit: number): ReadonlyArray<number> =>
  database
    .all("SELECT row FROM note_drops WHERE seq > ? ORDER BY seq LIMIT ?", [seen, limit])
    .map((row) => Number(row["row"]))

export const users = (database: Database): ReadonlyArray<{ readonly user: string; readonly notes: number }> =>
  database
    .all(
      `SELECT name, count(*) AS notes FROM notes JOIN note_users USING (user) WHERE hold = '' GROUP BY user ORDER BY name`
    )
    .map((row) => ({ user: String(row["name"]), notes: Number(row["notes"]) }))

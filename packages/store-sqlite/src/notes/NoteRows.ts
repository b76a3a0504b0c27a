/** Rows of the table of notes, and the numbers that stand for users, tags and kinds. */
import { Canonical, Note } from "@bough/protocol"
import type { NoteStore } from "@bough/tool"
import type { Database, Row } from "../driver/Database.ts"

/** The stored number is the position in this list. */
const kinds: ReadonlyArray<Note.Kind> = ["fact", "preference", "decision", "procedure", "episode", "conversation"]

export const kindNumber = (kind: Note.Kind): number => kinds.indexOf(kind)

export const everyKind: ReadonlyArray<number> = kinds.map(kindNumber)

/** The kinds that are found by default. */
export const defaultKinds: ReadonlyArray<number> = kinds.filter((kind) => kind !== "conversation").map(kindNumber)

/** Escapes an ill-formed name: SQLite would merge names that differ only in lone surrogates. */
const storedName = (name: string): string => (name.isWellFormed() ? name : `ill-formed ${JSON.stringify(name)}`)

/** Returns the user's number; null: the user has no notes. */
export const userNumber = (database: Database, name: string): number | null => {
  const row = database.get("SELECT user FROM note_users WHERE name = ?", [storedName(name)])
  return row === undefined ? null : Number(row["user"])
}

export const makeUser = (database: Database, name: string): number => {
  database.run("INSERT INTO note_users (name) VALUES (?) ON CONFLICT DO NOTHING", [storedName(name)])
  return userNumber(database, name)!
}

/** The project number of notes that belong to the user in every project. */
export const userWideProject = 0
/** Represents every project. */
const everyProject = -1
/** Represents a project without notes. */
const noProject = -2

/** Returns the number that the condition `visible` expects for the project of a scope. */
export const projectNumber = (
  database: Database,
  user: number,
  scope: Pick<NoteStore.NoteScope, "project" | "everyProject">
): number => {
  if (scope.everyProject === true) return everyProject
  if (scope.project === undefined || scope.project === null) return userWideProject
  const row = database.get("SELECT project FROM note_projects WHERE user = ? AND root = ?", [
    user,
    storedName(scope.project)
  ])
  return row === undefined ? noProject : Number(row["project"])
}

/** Returns the projects whose notes a project sees; null: all projects. */
export const projectsSeen = (project: number): ReadonlyArray<number> | null => {
  if (project === everyProject) return null
  return project === noProject || project === userWideProject ? [userWideProject] : [userWideProject, project]
}

export const makeProject = (database: Database, user: number, root: string | null): number => {
  if (root === null) return userWideProject
  database.run("INSERT INTO note_projects (user, root) VALUES (?, ?) ON CONFLICT DO NOTHING", [user, storedName(root)])
  return projectNumber(database, user, { project: root })
}

/** Returns the numbers of the tags; null: at least one tag is unknown. */
export const tagNumbers = (
  database: Database,
  user: number,
  tags: ReadonlyArray<string>
): ReadonlyArray<number> | null => {
  const numbers: Array<number> = []
  for (const tag of tags) {
    const row = database.get("SELECT tag FROM note_tags WHERE user = ? AND name = ?", [user, tag])
    if (row === undefined) return null
    numbers.push(Number(row["tag"]))
  }
  return numbers
}

export const makeTags = (database: Database, user: number, tags: ReadonlyArray<string>): ReadonlyArray<number> => {
  for (const tag of tags) {
    database.run("INSERT INTO note_tags (user, name) VALUES (?, ?) ON CONFLICT DO NOTHING", [user, tag])
  }
  return tagNumbers(database, user, tags)!
}

/** Returns a digest that notes with equal text share. */
export const textDigest = (text: string): string => Canonical.digest(Note.sameText(text))

/** The columns of a note, in the table of notes or of their history. */
const noteColumns = (table: "notes" | "note_history"): string => `note_id, kind, text, tags, source, untrusted,
  created_at_millis, updated_at_millis, valid_until_millis, project, CASE project WHEN ${userWideProject} THEN NULL
  ELSE (SELECT root FROM note_projects WHERE note_projects.project = ${table}.project) END AS project_root`

export const columns = `row, user, tag_numbers, hold, removed, written_by, superseded_by, ${noteColumns("notes")}`

export const historyColumns = `entry, of_note, reason, ended_by, ended_at_millis, ${noteColumns("note_history")}`

const list = (value: unknown): ReadonlyArray<unknown> => JSON.parse(String(value)) as ReadonlyArray<unknown>

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null)

export const noteOf = (row: Row): Note.Note => ({
  noteId: Note.NoteId.make(String(row["note_id"])),
  kind: kinds[Number(row["kind"])],
  text: String(row["text"]),
  tags: list(row["tags"]).map(String),
  source: String(row["source"]),
  untrusted: row["untrusted"] !== 0,
  createdAtMillis: Number(row["created_at_millis"]),
  updatedAtMillis: Number(row["updated_at_millis"]),
  project: textOrNull(row["project_root"]),
  validUntilMillis: row["valid_until_millis"] === null ? null : Number(row["valid_until_millis"])
})

export const indexRowOf = (row: Row): NoteStore.IndexRow => ({
  row: Number(row["row"]),
  user: Number(row["user"]),
  project: Number(row["project"]),
  tags: list(row["tag_numbers"]).map(Number),
  kind: Number(row["kind"]),
  text: String(row["text"])
})

/** Selects the notes of a project and those of the user, or the notes of every project. Parameter: `projectNumber`. */
export const inProject = `(?3 = ${everyProject} OR project IN (${userWideProject}, ?3))`

/**
 * Selects the version of a note that is visible in a scope: its own staged version, else the committed version.
 * Parameters: the staging key, "" for none; the user; the number of the scope's project. A query by row adds `+user =
 * ?2`: the plus keeps SQLite from reading all notes of the user by their index.
 */
export const visible = `(hold = '' OR hold = ?1) AND removed = 0 AND ${inProject}
  AND (hold <> '' OR ?1 = '' OR NOT EXISTS
  (SELECT 1 FROM notes AS own WHERE own.user = notes.user AND own.note_id = notes.note_id AND own.hold = ?1))`

/**
 * The values of `removed`: the note is kept; it is erased with its history; its text is added to its own history; its
 * text is added to the history of another note.
 */
export const removals = { none: 0, erased: 1, kept: 2, superseded: 3 } as const

/** The stored number is the position in this list. */
const reasons: ReadonlyArray<Note.EndReason> = ["updated", "superseded", "removed"]

export const reasonNumber = (reason: Note.EndReason): number => reasons.indexOf(reason)

export const pastVersionOf = (row: Row): Note.PastVersion => ({
  note: noteOf(row),
  reason: reasons[Number(row["reason"])],
  noteId: Note.NoteId.make(String(row["of_note"])),
  endedBy: String(row["ended_by"]),
  endedAtMillis: Number(row["ended_at_millis"])
})

/** Rows of the table of notes, and the numbers that stand for users, tags and kinds. */
import { Canonical, Note } from "@bough/protocol"
import type { Database, Row } from "@bough/sqlite"
import type { NoteStore } from "@bough/tool"

/** Stored: the place in this list is the number. */
const kinds: ReadonlyArray<Note.Kind> = ["fact", "preference", "decision", "procedure", "episode", "conversation"]

export const kindNumber = (kind: Note.Kind): number => kinds.indexOf(kind)

export const everyKind: ReadonlyArray<number> = kinds.map(kindNumber)

/** Every kind that is found without being asked for. */
export const usual: ReadonlyArray<number> = kinds.filter((kind) => kind !== "conversation").map(kindNumber)

/** SQLite would store two names with half a pair in them as one. */
const storedName = (name: string): string => (name.isWellFormed() ? name : `ill-formed ${JSON.stringify(name)}`)

/** Null: nobody of that name has a note. */
export const userNumber = (database: Database, name: string): number | null => {
  const row = database.get("SELECT user FROM note_users WHERE name = ?", [storedName(name)])
  return row === undefined ? null : Number(row["user"])
}

export const makeUser = (database: Database, name: string): number => {
  database.run("INSERT INTO note_users (name) VALUES (?) ON CONFLICT DO NOTHING", [storedName(name)])
  return userNumber(database, name)!
}

/** Null where a tag of the list is on no note of the user. */
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

/** What two notes that say the same have in common. */
export const sameText = (text: string): string => Canonical.digest(Note.sameText(text))

export const columns =
  "row, user, note_id, kind, text, tags, tag_numbers, source, untrusted, created_at_millis, updated_at_millis, hold, removed"

const list = (value: unknown): ReadonlyArray<unknown> => JSON.parse(String(value)) as ReadonlyArray<unknown>

export const noteOf = (row: Row): Note.Note => ({
  noteId: Note.NoteId.make(String(row["note_id"])),
  kind: kinds[Number(row["kind"])],
  text: String(row["text"]),
  tags: list(row["tags"]).map(String),
  source: String(row["source"]),
  untrusted: row["untrusted"] !== 0,
  createdAtMillis: Number(row["created_at_millis"]),
  updatedAtMillis: Number(row["updated_at_millis"])
})

export const indexRowOf = (row: Row): NoteStore.IndexRow => ({
  row: Number(row["row"]),
  user: Number(row["user"]),
  tags: list(row["tag_numbers"]).map(Number),
  kind: Number(row["kind"]),
  text: String(row["text"])
})

/** What this place sees of a note: its own held version, else everybody's. Parameters: the hold, "" for none. */
export const visible = `(hold = '' OR hold = ?1) AND removed = 0 AND (hold <> '' OR ?1 = '' OR NOT EXISTS
  (SELECT 1 FROM notes AS own WHERE own.user = notes.user AND own.note_id = notes.note_id AND own.hold = ?1))`

/**
 * The parts of the stored format that every start checks: the file's application id, its version, and the names of its
 * tables.
 */
import type { Database } from "./driver/Database.ts"

/** "Bogh" in the header of every file of Bough. */
export const applicationId = 0x42_6f_67_68

/** The tables that each migration step adds. */
const added: ReadonlyArray<ReadonlyArray<string>> = [
  ["approvals", "blob_references", "blobs", "entries", "inbox", "migrations", "sessions", "trees"],
  ["note_drops", "note_tags", "note_users", "notes", "notes_words", "scratchpads"],
  [],
  [],
  ["clock"],
  [],
  [],
  [],
  ["conversation_progress", "conversation_texts"],
  ["note_history", "note_projects"],
  ["note_initials", "note_vocabulary"],
  ["embedding_models", "note_vectors"],
  [],
  [],
  ["lease_sightings"]
]

/** The version that this code reads and writes: the number of steps in Tables.ts. */
export const version = added.length

/**
 * Returns the names of all of Bough's tables in a file of that version. A file without one of them was made by another
 * program.
 */
export const namesOf = (version: number): ReadonlyArray<string> => added.slice(0, Math.max(version, 1)).flat()

export const versionOf = (database: Database): number => Number(database.get("PRAGMA user_version")?.["user_version"])

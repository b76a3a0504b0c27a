/** The notes that an index is built from. */
import type { Database } from "../driver/Database.ts"
import type { NoteStore } from "@bough/tool"

/** Reads the columns that every version of the table has, since migration steps use it. */
export function* storedNotes(database: Database): Generator<NoteStore.IndexRow> {
  const notes = database.prepare("SELECT row, user, kind, tag_numbers, text FROM notes WHERE removed = 0 ORDER BY row")
  for (const { kind, row, tag_numbers: tags, text, user } of notes.iterate()) {
    yield {
      row: Number(row),
      user: Number(user),
      // Read by a step from before projects, or by one that does not need them.
      project: 0,
      kind: Number(kind),
      tags: JSON.parse(String(tags)) as ReadonlyArray<number>,
      text: String(text)
    }
  }
}

/** The notes from which an index is built. */
import type { NoteStore } from "@bough/tool"
import type { Database } from "../driver/Database.ts"

/** Reads the columns that every version of the table has, since migration steps use it. */
export function* storedNotes(database: Database): Generator<NoteStore.IndexRow> {
  const notes = database.prepare("SELECT row, user, kind, tag_numbers, text FROM notes WHERE removed = 0 ORDER BY row")
  for (const { kind, row, tag_numbers: tags, text, user } of notes.iterate()) {
    yield {
      row: Number(row),
      user: Number(user),
      // Steps before projects were introduced have no project column, and some later steps do not need it.
      project: 0,
      kind: Number(kind),
      tags: JSON.parse(String(tags)) as ReadonlyArray<number>,
      text: String(text)
    }
  }
}

/** The vectors of notes, one per row, as an embedding model made them: 32-bit floats, little-endian. */
import type { Database } from "../driver/Database.ts"
import type { NoteStore } from "@bough/tool"
import * as NoteRows from "./NoteRows.ts"

export const tables = `
  CREATE TABLE embedding_models (
    model INTEGER PRIMARY KEY,
    model_id TEXT NOT NULL UNIQUE
  ) STRICT;

  CREATE TABLE note_vectors (
    row INTEGER PRIMARY KEY,
    model INTEGER NOT NULL REFERENCES embedding_models,
    vector BLOB NOT NULL
  ) STRICT;
`

const modelOf = (database: Database, modelId: string): number | null => {
  const row = database.get("SELECT model FROM embedding_models WHERE model_id = ?", [modelId])
  return row === undefined ? null : Number(row["model"])
}

const fromBytes = ({ buffer, byteLength, byteOffset }: Uint8Array): Float32Array =>
  byteOffset % Float32Array.BYTES_PER_ELEMENT === 0
    ? new Float32Array(buffer, byteOffset, byteLength / Float32Array.BYTES_PER_ELEMENT)
    : new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength))
const toBytes = ({ buffer, byteLength, byteOffset }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

export const page = (
  database: Database,
  modelId: string,
  { after, limit }: NoteStore.Page
): ReadonlyArray<NoteStore.EmbeddedRow> =>
  database
    .all(
      `SELECT notes.row, user, project, kind, tag_numbers, vector, iif(vector IS NULL, text, '') AS text
       FROM notes LEFT JOIN note_vectors ON note_vectors.row = notes.row AND note_vectors.model = ?
       WHERE notes.row > ? AND hold = '' ORDER BY notes.row LIMIT ?`,
      [modelOf(database, modelId), after, limit]
    )
    .map((row) => ({
      ...NoteRows.indexRowOf(row),
      vector: row["vector"] instanceof Uint8Array ? fromBytes(row["vector"]) : null
    }))

/** Stores vectors: a removed row gets none, and one that has another model's loses it. */
export const keep =
  (modelId: string, vectors: ReadonlyArray<NoteStore.RowVector>) =>
  (database: Database): void => {
    database.run("INSERT INTO embedding_models (model_id) VALUES (?) ON CONFLICT DO NOTHING", [modelId])
    const model = modelOf(database, modelId)
    for (const { row, vector } of vectors) {
      database.run(
        "INSERT OR REPLACE INTO note_vectors (row, model, vector) SELECT row, ?, ? FROM notes WHERE row = ? AND hold = ''",
        [model, toBytes(vector), row]
      )
    }
  }

export const drop = (database: Database, row: number): void => {
  database.run("DELETE FROM note_vectors WHERE row = ?", [row])
}

export const clear = (database: Database): void => {
  database.exec("DELETE FROM note_vectors; DELETE FROM embedding_models")
}

/** Reports on the model that made most of the vectors. */
export const report = (database: Database): NoteStore.VectorReport | null => {
  const row = database.get(
    `SELECT model_id, length(max(vector)) / ${Float32Array.BYTES_PER_ELEMENT} AS dimension, count(*) AS notes
     FROM note_vectors JOIN embedding_models USING (model) GROUP BY model ORDER BY notes DESC LIMIT 1`
  )
  return row === undefined
    ? null
    : { modelId: String(row["model_id"]), dimension: Number(row["dimension"]), notes: Number(row["notes"]) }
}

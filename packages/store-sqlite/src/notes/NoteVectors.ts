/** The vectors of notes, one per row, as an embedding model made them: 32-bit floats, little-endian. */
import type { NoteStore } from "@bough/tool"
import type { Database } from "../driver/Database.ts"

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

const toBytes = ({ buffer, byteLength, byteOffset }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** A row of a page as JSON: row, user, project, kind, tags, bytes of the vector, and the text if there is no vector. */
type PageRow = readonly [number, number, number, number, ReadonlyArray<number>, number, string]

const none = new Uint8Array(0)

/** Returns the numbers at the start of a buffer. */
const floatsOf = (value: unknown): Float32Array<ArrayBuffer> => {
  const bytes = value instanceof Uint8Array ? value : none
  // A Float32Array must start at a multiple of four bytes, so the bytes must start where their buffer does.
  const { buffer, byteLength } = bytes.byteOffset === 0 ? bytes : bytes.slice()
  return new Float32Array(buffer as ArrayBuffer, 0, byteLength / Float32Array.BYTES_PER_ELEMENT)
}

/**
 * Reads a page as one row of SQL, in which SQLite joins the bytes of all vectors. Separate byte arrays would take three
 * times as long as reading the bytes: to allocate, and to collect as garbage.
 */
export const page = (
  database: Database,
  modelId: string,
  { after, limit }: NoteStore.Page
): ReadonlyArray<NoteStore.EmbeddedRow> => {
  const read = database.get(
    `SELECT CAST(group_concat(vector, '') AS BLOB) AS vectors,
       json_group_array(json_array(row, user, project, kind, json(tag_numbers), ifnull(length(vector), 0),
         iif(vector IS NULL, text, ''))) AS page
     FROM (SELECT notes.row, user, project, kind, tag_numbers, vector, text
       FROM notes LEFT JOIN note_vectors ON note_vectors.row = notes.row AND note_vectors.model = ?
       WHERE notes.row > ? AND hold = '' ORDER BY notes.row LIMIT ?)`,
    [modelOf(database, modelId), after, limit]
  )
  const { buffer } = floatsOf(read?.["vectors"])
  const json = read?.["page"]
  const rows = JSON.parse(typeof json === "string" ? json : "[]") as ReadonlyArray<PageRow> // JSON in the form that the query makes
  let from = 0
  // SQLite promises no order, but both columns list the rows in the same order.
  const embedded = rows.map(([row, user, project, kind, tags, length, text]) => {
    const vector = length === 0 ? null : new Float32Array(buffer, from, length / Float32Array.BYTES_PER_ELEMENT)
    from += length
    return { row, user, project, kind, tags, text, vector }
  })
  return embedded.toSorted((left, right) => left.row - right.row)
}

/**
 * Reads the vectors of all rows that pass the filter as one row of SQL: a process that searches once needs no other
 * data, and creating an object for each of ten thousand rows would take longer than the comparison.
 */
export const rowsThatPass = (
  database: Database,
  modelId: string,
  { among, kinds, projects, tags, user }: NoteStore.NumberedFilter & { readonly among: ReadonlyArray<number> | null }
): NoteStore.PassingVectors => {
  const these = among === null ? "" : "AND notes.row IN (SELECT value FROM json_each(?6))"
  const read = database.get(
    `SELECT CAST(group_concat(vector, '') AS BLOB) AS vectors, count(*) - count(vector) AS bare,
       json_group_array(notes.row) FILTER (WHERE vector IS NOT NULL) AS rows
     FROM notes LEFT JOIN note_vectors ON note_vectors.row = notes.row AND note_vectors.model = ?1
     WHERE hold = '' ${these} AND +user = ?2 AND kind IN (SELECT value FROM json_each(?3))
       AND (?4 IS NULL OR project IN (SELECT value FROM json_each(?4)))
       AND NOT EXISTS (SELECT 1 FROM json_each(?5) AS wanted
         WHERE NOT EXISTS (SELECT 1 FROM json_each(tag_numbers) AS tag WHERE tag.value = wanted.value))`,
    [
      modelOf(database, modelId),
      user,
      JSON.stringify(kinds),
      projects === null ? null : JSON.stringify(projects),
      JSON.stringify(tags),
      ...(among === null ? [] : [JSON.stringify(among)])
    ]
  )
  return {
    rows: JSON.parse(String(read?.["rows"])) as ReadonlyArray<number>, // as the query makes it
    vectors: floatsOf(read?.["vectors"]),
    withoutVector: Number(read?.["bare"])
  }
}

/** Stores vectors. A removed row gets none, and a vector of another model is replaced. */
export const storeVectors =
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

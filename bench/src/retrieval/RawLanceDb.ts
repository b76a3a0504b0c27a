/**
 * The smallest search of notes by words and meaning with LanceDB alone: one table, its full-text index, and its fusion.
 */
import type { Embedder } from "@bough/memory"
import type * as LanceDb from "@lancedb/lancedb"
import * as arrow from "apache-arrow"
import * as Effect from "effect/Effect"

export interface Raw {
  readonly add: (rows: ReadonlyArray<{ readonly id: string; readonly text: string }>) => Promise<void>
  /** Runs LanceDB's optimisation: compaction and indexes. */
  readonly finish: (vectorIndex: boolean) => Promise<void>
  /** Returns the ids, the best first. */
  readonly search: (text: string, limit: number) => Promise<ReadonlyArray<string>>
}

const schemaOf = (dimension: number) =>
  new arrow.Schema([
    new arrow.Field("id", new arrow.Utf8()),
    new arrow.Field("text", new arrow.Utf8()),
    new arrow.Field("user", new arrow.Int32()),
    new arrow.Field("vector", new arrow.FixedSizeList(dimension, new arrow.Field("item", new arrow.Float32())))
  ])

export const open = async (folder: string, embedder: Embedder.Embedder): Promise<Raw> => {
  // LanceDB warns at every query, to a file or a terminal, and the measurement would include the warnings.
  process.env["LANCEDB_LOG"] ??= "off"
  const lancedb = await import("@lancedb/lancedb")
  const database = await lancedb.connect(folder)
  const reranker = await lancedb.rerankers.RRFReranker.create()
  const isThere = (await database.tableNames()).includes("notes")
  let table: LanceDb.Table | null = isThere ? await database.openTable("notes") : null
  const embed = (texts: ReadonlyArray<string>) => Effect.runPromise(embedder.embed(texts))
  return {
    add: async (rows) => {
      const vectors = await embed(rows.map(({ text }) => text))
      const data = rows.map(({ id, text }, index) => ({ id, text, user: 1, vector: Array.from(vectors[index]) }))
      if (table === null) table = await database.createTable("notes", data, { schema: schemaOf(vectors[0].length) })
      else await table.add(data)
    },
    finish: async (vectorIndex) => {
      await table?.createIndex("text", { config: lancedb.Index.fts() })
      if (vectorIndex) {
        await table?.createIndex("user", { config: lancedb.Index.bitmap() })
        await table?.createIndex("vector", { config: lancedb.Index.ivfFlat({ distanceType: "dot" }) })
      }
      for (const _ of ["indexes", "older versions"]) await table?.optimize({ cleanupOlderThan: new Date() })
    },
    search: async (text, limit) => {
      const [vector] = await embed([text])
      const query = table
        ?.query()
        .fullTextSearch(text, { columns: ["text"] })
        .nearestTo(vector)
      const found = await query
        ?.distanceType("dot")
        .nprobes(16)
        .where("user = 1")
        .rerank(reranker)
        .select(["id", "text"])
        .limit(limit)
        .toArray()
      return (found ?? []).map((row: { readonly id: string }) => row.id)
    }
  }
}

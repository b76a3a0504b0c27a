/** The least that finds notes by words and meaning with LanceDB alone: one table, its own full-text index, its own fusion. */
import * as lancedb from "@lancedb/lancedb"
import type { Embedder } from "@bough/memory"
import * as Effect from "effect/Effect"

export interface Raw {
  readonly add: (rows: ReadonlyArray<{ readonly id: string; readonly text: string }>) => Promise<void>
  /** What makes it fast: compaction and indexes. */
  readonly finish: (vectorIndex: boolean) => Promise<void>
  /** Ids, the best first. */
  readonly search: (text: string, limit: number) => Promise<ReadonlyArray<string>>
}

export const open = async (folder: string, embedder: Embedder.Embedder): Promise<Raw> => {
  const database = await lancedb.connect(folder)
  const reranker = await lancedb.rerankers.RRFReranker.create()
  let table: lancedb.Table | null = null
  const embed = (texts: ReadonlyArray<string>) => Effect.runPromise(embedder.embed(texts))
  return {
    add: async (rows) => {
      const vectors = await embed(rows.map(({ text }) => text))
      const data = rows.map(({ id, text }, index) => ({ id, text, user: 1, vector: Array.from(vectors[index]) }))
      if (table === null) table = await database.createTable("notes", data)
      else await table.add(data)
    },
    finish: async (vectorIndex) => {
      await table?.createIndex("text", { config: lancedb.Index.fts() })
      if (vectorIndex) {
        const config = lancedb.Index.ivfFlat({ distanceType: "dot", numPartitions: 128 })
        await table?.createIndex("vector", { config })
      }
      await table?.optimize()
    },
    search: async (text, limit) => {
      const [vector] = await embed([text])
      const query = table
        ?.query()
        .fullTextSearch(text, { columns: ["text"] })
        .nearestTo(vector)
      const found = await query
        ?.distanceType("dot")
        .nprobes(24)
        .where("user = 1")
        .rerank(reranker)
        .select(["id", "text"])
        .limit(limit)
        .toArray()
      return (found ?? []).map((row: { readonly id: string }) => row.id)
    }
  }
}

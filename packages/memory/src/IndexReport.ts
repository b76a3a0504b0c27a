/** What the index of meaning is made of, for people. It is looked at as it lies there: no model is loaded, nothing is built. */
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import type { Identity } from "./Embedder.ts"
import * as VectorTable from "./VectorTable.ts"

export interface IndexReport extends Identity {
  /** Notes of everybody that are in it. Those saved last may not be yet, and are found all the same. */
  readonly notes: number
}

const read = (tables: string): Promise<IndexReport | null> =>
  import("@lancedb/lancedb")
    .then(({ connect }) => connect(tables))
    .then((database) =>
      database.tableNames().then((names) => {
        const name = names.find((each) => each.startsWith(VectorTable.tablePrefix))
        return name === undefined ? null : database.openTable(name)
      })
    )
    .then((table) =>
      table === null
        ? null
        : Promise.all([table.schema(), table.countRows()]).then(([{ metadata }, notes]) => ({
            modelId: metadata.get("model") ?? "",
            dimension: Number(metadata.get("dimension")),
            notes
          }))
    )

/** `tables`: the folder of the vectors. Null: there is no index yet. */
export const of = (tables: string): Effect.Effect<IndexReport | null, VectorTable.VectorTableFailed> =>
  Effect.suspend(() =>
    existsSync(tables)
      ? Effect.tryPromise({ try: () => read(tables), catch: VectorTable.failed })
      : Effect.succeed(null)
  )

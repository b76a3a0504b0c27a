/**
 * Notes and scratchpads in the memory of this process, written by the same code as in a file; they exist as long as the
 * layer.
 */
import type { NoteStore, ScratchpadStore } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqliteClient from "./driver/SqliteClient.ts"
import * as LogSync from "./LogSync.ts"
import * as Migration from "./Migration.ts"
import * as NoteStoreSql from "./notes/NoteStoreSql.ts"
import * as WriteQueue from "./WriteQueue.ts"

/**
 * Row numbers start at the time at which the store was made, so that a table of vectors on disk never confuses them
 * with rows of another store.
 */
const rowsPerMilli = 1000

const make = Effect.gen(function* () {
  const client = yield* SqliteClient.make({ filename: ":memory:", pragmas: {} })
  const startMillis = yield* Clock.currentTimeMillis
  yield* client.sync((database) => {
    Migration.migrate(database, startMillis)
    database.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('notes', ?)", [startMillis * rowsPerMilli])
  })
  const queue = WriteQueue.make({
    client,
    now: Clock.currentTimeMillis,
    onRollback: () => {},
    isInPlace: () => true,
    logSync: LogSync.none
  })
  return NoteStoreSql.make(client, queue, () => {})
})

export const layer: Layer.Layer<NoteStore.NoteStore | ScratchpadStore.ScratchpadStore> = Layer.effectContext(
  Effect.orDie(make)
)

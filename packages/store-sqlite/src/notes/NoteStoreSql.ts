/** Notes and scratchpads in the session database: a note is durable with the commit that acknowledges it. */
import type { Batch } from "@bough/protocol"
import { NoteStore, ScratchpadStore } from "@bough/tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { SqlError } from "effect/sql/SqlError"
import type { Database } from "../driver/Database.ts"
import type * as SqliteClient from "../driver/SqliteClient.ts"
import * as Failure from "../Failure.ts"
import type { WriteQueue } from "../WriteQueue.ts"
import * as NoteReads from "./NoteReads.ts"
import * as ScratchpadRows from "./ScratchpadRows.ts"

/** The code that writes and searches notes is loaded with its first use: most starts only read a few. */
const parts = Effect.promise(() => import("./NoteParts.ts"))
type Parts = Effect.Success<typeof parts>

const failed = ({ hint, message }: { readonly hint: string; readonly message: string }) =>
  new NoteStore.NoteStoreFailed({ message, hint })

export const make = (
  client: SqliteClient.SqliteClient,
  queue: WriteQueue,
  /** Called after text of notes was removed that has to be erased from the file. */
  onRemoved: () => void
): Context.Context<NoteStore.NoteStore | ScratchpadStore.ScratchpadStore> => {
  const read = <A>(operation: string, body: (database: Database) => A): Effect.Effect<A, NoteStore.NoteStoreFailed> =>
    Effect.mapError(client.sync(body), (error: SqlError) => failed(Failure.storeFailed(operation, error)))

  const write = <A>(
    operation: string,
    body: (database: Database, nowMillis: number) => A,
    durability: Batch.Durability = "Full"
  ): Effect.Effect<A, NoteStore.NoteStoreFailed> =>
    queue
      .write({ operation, durability, run: (database, nowMillis) => Result.succeed(body(database, nowMillis)) })
      .pipe(Effect.mapError(failed))

  const lateRead = <A>(operation: string, body: (parts: Parts) => (database: Database) => A) =>
    Effect.flatMap(parts, (loaded) => read(operation, body(loaded)))

  const lateWrite = <A>(operation: string, body: (parts: Parts) => (database: Database, nowMillis: number) => A) =>
    Effect.flatMap(parts, (loaded) => write(operation, body(loaded)))

  const notifyRemoval = (some: boolean | number) => Effect.sync(() => (Number(some) > 0 ? onRemoved() : undefined))

  return Context.make(NoteStore.NoteStore, {
    save: (place, draft) => lateWrite("save a note", ({ NoteWrites }) => NoteWrites.save(place, draft)),
    update: (place, noteId, change) =>
      lateWrite("change a note", ({ NoteWrites }) => NoteWrites.update(place, noteId, change)),
    remove: (place, noteId, removal) =>
      Effect.tap(
        lateWrite("remove a note", ({ NoteWrites }) => NoteWrites.remove(place, noteId, removal)),
        notifyRemoval
      ),
    history: (place, noteId) =>
      lateRead(
        "read a note's history",
        ({ NoteHistory }) =>
          (database) =>
            NoteHistory.historyOf(database, place, noteId)
      ),
    addHistory: (place, noteId, versions) =>
      lateWrite("import a note's history", ({ NoteHistory }) => NoteHistory.addMissing(place, noteId, versions)),
    // Runs at the end of each turn, after the queued changes to which it applies.
    settle: (hold, end) =>
      Effect.flatMap(
        // Changes nothing, so it needs no sync.
        write("finish staged notes", (database) => NoteReads.isStaged(database, hold), "Relaxed"),
        (isHeld) =>
          isHeld
            ? Effect.tap(
                lateWrite("finish staged notes", ({ NoteWrites }) => NoteWrites.endStaging(hold, end)),
                notifyRemoval
              )
            : Effect.succeed(0)
      ),
    get: (place, noteId) => read("read a note", (database) => NoteReads.get(database, place, noteId)),
    sayingTheSame: (place, text) =>
      read("look for a note", (database) => NoteReads.noteWithSameText(database, place, text)),
    list: (place, page) => read("list notes", (database) => NoteReads.list(database, place, page)),
    // Runs in each turn, mostly for users without notes.
    search: (place, query) =>
      Effect.flatMap(
        read("search notes", (database) => NoteReads.toNumberedFilter(database, place, query) === null),
        (isNone) =>
          isNone
            ? Effect.succeed([])
            : lateRead(
                "search notes",
                ({ NoteSearch }) =>
                  (database) =>
                    NoteSearch.search(database, place, query)
              )
      ),
    weigh: (place, text, rows) =>
      lateRead(
        "search notes",
        ({ WordWeights }) =>
          (database) =>
            WordWeights.weightsOf(database, place, { text, rows })
      ),
    numbered: (place, filter) =>
      read("search notes", (database) => NoteReads.toNumberedFilter(database, place, filter)),
    visible: (place, rows) => read("read notes", (database) => NoteReads.visible(database, place, rows)),
    staged: (place) => read("read notes", (database) => NoteReads.stagedRows(database, place)),
    rows: (after, limit) => read("read notes", (database) => NoteReads.rows(database, after, limit)),
    rowNumbers: read("read notes", NoteReads.rowNumbers),
    counters: read("read notes", NoteReads.counters),
    drops: (seen, limit) => read("read notes", (database) => NoteReads.removedRows(database, seen, limit)),
    vectors: (modelId, page) =>
      lateRead(
        "read notes",
        ({ NoteVectors }) =>
          (database) =>
            NoteVectors.page(database, modelId, page)
      ),
    passingVectors: (modelId, filter, among) =>
      lateRead(
        "read notes",
        ({ NoteVectors }) =>
          (database) =>
            NoteVectors.rowsThatPass(database, modelId, { ...filter, among })
      ),
    keepVectors: (modelId, vectors) =>
      Effect.flatMap(parts, ({ NoteVectors }) =>
        queue
          .write({
            operation: "store vectors",
            // A vector that a power cut loses is computed again.
            durability: "Relaxed",
            run: (database) => Result.succeed(NoteVectors.storeVectors(modelId, vectors)(database))
          })
          .pipe(Effect.mapError(failed))
      ),
    clearVectors: lateWrite("remove vectors", ({ NoteVectors }) => NoteVectors.clear),
    vectorReport: lateRead("read notes", ({ NoteVectors }) => NoteVectors.report),
    users: read("read notes", NoteReads.users)
  }).pipe(
    Context.add(ScratchpadStore.ScratchpadStore, {
      read: (sessionId) => read("read the scratchpad", (database) => ScratchpadRows.read(database, sessionId)),
      write: (sessionId, items) => write("write the scratchpad", ScratchpadRows.write(sessionId, items))
    })
  )
}

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
    save: (scope, draft) => lateWrite("save a note", ({ NoteWrites }) => NoteWrites.save(scope, draft)),
    update: (scope, noteId, change) =>
      lateWrite("change a note", ({ NoteWrites }) => NoteWrites.update(scope, noteId, change)),
    remove: (scope, noteId, removal) =>
      Effect.tap(
        lateWrite("remove a note", ({ NoteWrites }) => NoteWrites.remove(scope, noteId, removal)),
        notifyRemoval
      ),
    history: (scope, noteId) =>
      lateRead(
        "read a note's history",
        ({ NoteHistory }) =>
          (database) =>
            NoteHistory.historyOf(database, scope, noteId)
      ),
    addHistory: (scope, noteId, versions) =>
      lateWrite("import a note's history", ({ NoteHistory }) => NoteHistory.addMissing(scope, noteId, versions)),
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
    get: (scope, noteId) => read("read a note", (database) => NoteReads.get(database, scope, noteId)),
    sayingTheSame: (scope, text) =>
      read("look for a note", (database) => NoteReads.noteWithSameText(database, scope, text)),
    list: (scope, page) => read("list notes", (database) => NoteReads.list(database, scope, page)),
    // Runs in each turn, mostly for users without notes.
    search: (scope, query) =>
      Effect.flatMap(
        read("search notes", (database) => NoteReads.toNumberedFilter(database, scope, query) === null),
        (isNone) =>
          isNone
            ? Effect.succeed([])
            : lateRead(
                "search notes",
                ({ NoteSearch }) =>
                  (database) =>
                    NoteSearch.search(database, scope, query)
              )
      ),
    weigh: (scope, text, rows) =>
      lateRead(
        "search notes",
        ({ WordWeights }) =>
          (database) =>
            WordWeights.weightsOf(database, scope, { text, rows })
      ),
    numbered: (scope, filter) =>
      read("search notes", (database) => NoteReads.toNumberedFilter(database, scope, filter)),
    visible: (scope, rows) => read("read notes", (database) => NoteReads.visible(database, scope, rows)),
    staged: (scope) => read("read notes", (database) => NoteReads.stagedRows(database, scope)),
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

/**
 * The index of conversations in the session database. It is updated before a search, never with a commit, in
 * transactions that are small enough for other writes to run in between.
 */
import { type ConversationIndex, NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as SqliteClient from "../driver/SqliteClient.ts"
import * as Failure from "../Failure.ts"
import type { WriteQueue } from "../WriteQueue.ts"
import * as Damage from "./Damage.ts"
import * as Search from "./Search.ts"
import * as TextRows from "./TextRows.ts"

/** The number of entries per transaction, which takes some milliseconds. */
const entriesAtOnce = 100

const failed = ({ hint, message }: { readonly hint: string; readonly message: string }) =>
  new NoteStore.NoteStoreFailed({ message, hint })

export const make = (
  client: SqliteClient.SqliteClient,
  queue: WriteQueue
): ConversationIndex.ConversationIndex["Service"] => {
  const operation = "index what was said"
  // A crash may lose this write: the next run repeats it.
  const reset = queue.write({
    operation,
    durability: "Relaxed",
    run: (database) => Result.succeed(Damage.reset(database))
  })
  const indexSome = (redact: (text: string) => string, limit: number) =>
    queue.write({
      operation,
      durability: "Relaxed",
      run: (database) =>
        Result.succeed(Damage.orReset(database, () => TextRows.indexSome(database, redact, limit)) ?? limit)
    })
  const countUnindexed = Effect.mapError(client.sync(TextRows.countUnindexed), (error) =>
    Failure.storeFailed(operation, error)
  )

  /**
   * Indexes new entries up to the bound. It terminates even if another process changes the index, since each pass
   * counts against the bound.
   */
  const catchUp = Effect.fnUntraced(function* ({ rebuild = false, maxEntries, redact }: ConversationIndex.CatchUp) {
    if (rebuild) yield* reset
    let done = 0
    while (done < maxEntries) {
      const passed = yield* indexSome(redact, Math.min(entriesAtOnce, maxEntries - done))
      if (passed === 0) return 0
      done += passed
      yield* Effect.yieldNow
    }
    return yield* countUnindexed
  })

  const find = Effect.fnUntraced(function* (query: ConversationIndex.MessageQuery) {
    const unindexed = yield* catchUp(query.catchUp)
    return { messages: yield* client.sync((database) => Search.search(database, query)), unindexed }
  })

  /** Searches; a damaged index is rebuilt once. */
  const search = (query: ConversationIndex.MessageQuery) =>
    Effect.catchIf(
      find(query),
      (error) => error._tag === "SqlError" && Damage.isDamage(error),
      () => Effect.andThen(reset, find(query))
    ).pipe(
      Effect.mapError((error) =>
        failed(error._tag === "SqlError" ? Failure.storeFailed("search what was said", error) : error)
      )
    )

  return { search, catchUp: (options) => Effect.mapError(catchUp(options), failed) }
}

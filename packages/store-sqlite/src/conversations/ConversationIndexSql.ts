/**
 * The index of conversations, in the session database. The code that reads and writes it is loaded with its first use.
 */
import { ConversationIndex } from "@bough/tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as SqliteClient from "../driver/SqliteClient.ts"
import type { WriteQueue } from "../WriteQueue.ts"

export const make = (
  client: SqliteClient.SqliteClient,
  queue: WriteQueue
): Context.Context<ConversationIndex.ConversationIndex> => {
  const index = Effect.map(
    Effect.promise(() => import("./Indexing.ts")),
    (Indexing) => Indexing.make(client, queue)
  )
  return Context.make(ConversationIndex.ConversationIndex, {
    search: (query) => Effect.flatMap(index, ({ search }) => search(query)),
    catchUp: (options) => Effect.flatMap(index, ({ catchUp }) => catchUp(options))
  })
}

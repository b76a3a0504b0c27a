/** When an inbox may have grown: told at once within this process, looked for while somebody listens in others. */
import type { Session } from "@bough/protocol"
import type { SqliteClient } from "@bough/sqlite"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as Failure from "./Failure.ts"

/** SQLite tells cheaply whether another connection has written; asking costs microseconds. */
const pollInterval = "250 millis"

export const make = (client: SqliteClient.SqliteClient) => {
  const listeners = new Map<Session.SessionId, Set<() => void>>()

  const tell = (treeId: Session.SessionId): void => {
    for (const listener of listeners.get(treeId) ?? []) listener()
  }

  const otherWrites = Effect.mapError(
    client.sync((database) => database.get("PRAGMA data_version")?.["data_version"]),
    (error) => Failure.storeFailed("watch the inbox", error)
  )

  const changes = (treeId: Session.SessionId) =>
    Stream.callback<void, ReturnType<typeof Failure.storeFailed>>(
      Effect.fnUntraced(function* (queue) {
        const listener = () => void Queue.offerUnsafe(queue, undefined)
        yield* Effect.acquireRelease(
          Effect.sync(() => listeners.set(treeId, (listeners.get(treeId) ?? new Set()).add(listener))),
          () =>
            Effect.sync(() => {
              const others = listeners.get(treeId)
              others?.delete(listener)
              if (others?.size === 0) listeners.delete(treeId)
            })
        )
        let seen = yield* otherWrites
        listener()
        while (true) {
          yield* Effect.sleep(pollInterval)
          const latest = yield* otherWrites
          if (latest !== seen) listener()
          seen = latest
        }
      }),
      { bufferSize: 1, strategy: "sliding" }
    )

  return { tell, changes }
}

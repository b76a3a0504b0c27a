/**
 * Notifies listeners of inboxes that may have grown: at once within this process, by polling for other processes while
 * there is a listener.
 */
import { InboxListeners } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as SqliteClient from "./driver/SqliteClient.ts"

/**
 * The interval between polls. SQLite can cheaply check whether another connection has written: one poll takes
 * microseconds and serves all listeners.
 */
const pollInterval = "100 millis"

/** Polls until the scope closes. */
export const make = Effect.fnUntraced(function* (client: SqliteClient.SqliteClient) {
  const watched = Latch.makeUnsafe(false)
  const listeners = InboxListeners.make((some) => void (some ? watched.openUnsafe() : watched.closeUnsafe()))
  // A listener that is notified because a poll failed reads the inbox and gets the error there.
  const look = Effect.orElseSucceed(
    client.sync((database) => database.get("PRAGMA data_version")?.["data_version"]),
    () => null
  )
  let seen = yield* look
  yield* watched.await.pipe(
    Effect.andThen(Effect.sleep(pollInterval)),
    Effect.andThen(look),
    Effect.map((latest) => {
      if (latest !== seen || latest === null) listeners.notifyAll()
      seen = latest
    }),
    Effect.forever,
    Effect.forkScoped
  )
  return listeners
})

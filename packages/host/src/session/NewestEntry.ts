/** Searches the entries of a stored session, the newest first. */
import type { Entry, Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"

/** The number of entries that are read at once. */
const pageSize = 64

/** Returns the first value that `read` finds in an entry, from the newest entry on; null: it finds none. */
export const find = Effect.fnUntraced(function* <A>(
  sessionId: Session.SessionId,
  read: (body: Entry.Entry["body"]) => A | null
) {
  const store = yield* SessionStore.SessionStore
  let { entries: end } = yield* store.session(sessionId)
  while (end > 0) {
    const start = Math.max(0, end - pageSize)
    for (const { body } of (yield* store.entries(sessionId, start, end - start)).toReversed()) {
      const found = read(body)
      if (found !== null) return found
    }
    end = start
  }
  return null
})

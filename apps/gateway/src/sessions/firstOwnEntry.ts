/** Finds the first entry of a session itself: the journal of a fork begins with a copy of another session's entries. */
import type { Session } from "@bough/protocol"
import { EntryPages, type SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** Returns the number of the first entry that was not committed with the session's opening. */
export const firstOwnEntry = Effect.fnUntraced(function* (
  store: SessionStore.SessionStore["Service"],
  sessionId: Session.SessionId
) {
  const [opening] = yield* store.entries(sessionId, 0, 1)
  if (opening === undefined) return 0
  return yield* EntryPages.stream(store, sessionId).pipe(
    Stream.takeWhile(({ commit }) => commit === opening.commit),
    Stream.runCount
  )
})

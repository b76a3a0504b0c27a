/** The sequence number after the entries of the opening commit, which in a fork are copies. */
import type { Session } from "@bough/protocol"
import { EntryPages, type SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

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

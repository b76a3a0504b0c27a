/** Where the entries of a session itself begin in its journal. A fork opens with a copy of another session's entries. */
import type { Session } from "@bough/protocol"
import type { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"

const pageSize = 200

/** The number of the first entry that was not committed with the session's opening. */
export const firstOwnEntry = Effect.fnUntraced(function* (
  store: SessionStore.SessionStore["Service"],
  sessionId: Session.SessionId
) {
  const [opening] = yield* store.entries(sessionId, 0, 1)
  if (opening === undefined) return 0
  let seq = 1
  while (true) {
    const page = yield* store.entries(sessionId, seq, pageSize)
    const own = page.findIndex(({ commit }) => commit !== opening.commit)
    if (own !== -1) return seq + own
    seq += page.length
    if (page.length < pageSize) return seq
  }
})

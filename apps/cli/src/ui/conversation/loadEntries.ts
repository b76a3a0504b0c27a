/** All entries of a session. */
import type { Entry, Session } from "@bough/protocol"
import type { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { toCliFailure } from "../../Failures.ts"
import type { CliFailure } from "../../CliFailure.ts"

const pageSize = 256

/** None while the session is not stored. */
export const loadEntries = Effect.fnUntraced(function* (
  store: SessionStore.SessionStore["Service"],
  sessionId: Session.SessionId
): Effect.fn.Return<ReadonlyArray<Entry.Entry>, CliFailure> {
  const all: Array<Entry.Entry> = []
  for (;;) {
    const page = yield* store.entries(sessionId, all.length, pageSize).pipe(Effect.mapError(toCliFailure))
    all.push(...page)
    if (page.length < pageSize) return all
  }
})

/** All entries of a session. */
import type { Entry, Session } from "@bough/protocol"
import { EntryPages, type SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import type { CliFailure } from "../../CliFailure.ts"
import { toCliFailure } from "../../Failures.ts"

/** Returns no entries if the session is not stored. */
export const loadEntries = (
  store: SessionStore.SessionStore["Service"],
  sessionId: Session.SessionId
): Effect.Effect<ReadonlyArray<Entry.Entry>, CliFailure> =>
  Effect.mapError(EntryPages.collect(store, sessionId), toCliFailure)

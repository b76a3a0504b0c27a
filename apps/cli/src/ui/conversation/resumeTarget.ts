/** Chooses the session that a conversation reopens. */
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { type Failure, toCliFailure } from "../../Failures.ts"

/** Returns the given session, or a new one (null) if nothing of it was stored. */
export const resumeTarget = Effect.fnUntraced(function* (sessionId: string) {
  const store = yield* SessionStore.SessionStore
  const isStored = yield* store.session(sessionId).pipe(
    Effect.as(true),
    Effect.catchTag("SessionNotFound", () => Effect.succeed(false)),
    Effect.mapError((error: Failure) => toCliFailure(error))
  )
  return { session: isStored ? sessionId : null, continue: false }
})

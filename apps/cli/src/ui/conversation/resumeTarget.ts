/** The open session, to be opened again. */
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { type Failure, toCliFailure } from "../../Failures.ts"

/** A new session if the target is not stored. */
export const resumeTarget = Effect.fnUntraced(function* (sessionId: string) {
  const store = yield* SessionStore.SessionStore
  const isStored = yield* store.session(sessionId).pipe(
    Effect.as(true),
    Effect.catchTag("SessionNotFound", () => Effect.succeed(false)),
    Effect.mapError((error: Failure) => toCliFailure(error))
  )
  return { session: isStored ? sessionId : null, continue: false }
})

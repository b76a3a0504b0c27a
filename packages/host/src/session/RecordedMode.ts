/** Reads the mode of a stored session, so that every app which continues the session keeps it. */
import type { Session } from "@bough/protocol"
import { ContextSource, SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as NewestEntry from "./NewestEntry.ts"
import * as SessionMode from "./SessionMode.ts"

/**
 * Returns the mode of a stored session: the newest one that was chosen since its last message, or else that of the
 * newest environment text; null: the session has neither. The text is recorded again when the day, the branch or the
 * mode changes.
 */
export const read = Effect.fnUntraced(function* (sessionId: Session.SessionId) {
  const store = yield* SessionStore.SessionStore
  const chosen = (yield* store.inbox(sessionId)).findLast(({ command }) => command._tag === "ChangeMode")?.command
  if (chosen?._tag === "ChangeMode") return SessionMode.restored(chosen.mode)
  return yield* NewestEntry.find(sessionId, (body) =>
    body._tag === "ContextAdded" && body.source === ContextSource.environment ? SessionMode.modeIn(body.text) : null
  )
})

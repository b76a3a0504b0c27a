/** Reads the mode of a stored session, so that every app which continues the session keeps it. */
import type { Session } from "@bough/protocol"
import { ContextSource } from "@bough/runtime"
import * as NewestEntry from "./NewestEntry.ts"
import * as SessionMode from "./SessionMode.ts"

/**
 * Returns the mode in the newest environment text of a session; null: the session has none yet. The text is recorded
 * again when the day, the branch or the mode changes.
 */
export const read = (sessionId: Session.SessionId) =>
  NewestEntry.find(sessionId, (body) =>
    body._tag === "ContextAdded" && body.source === ContextSource.environment ? SessionMode.modeIn(body.text) : null
  )

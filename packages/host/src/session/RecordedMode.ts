/** Reads the mode of a stored session, so that every app which continues the session keeps it. */
import type { Entry, Session } from "@bough/protocol"
import { ContextSource, SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as SessionMode from "./SessionMode.ts"

/** The number of entries that are read at once. */
const pageSize = 64

/**
 * Returns the mode in the newest environment text of a session; null: the session has none yet. Reads the newest entries
 * first, because the text is recorded again when the day, the branch or the mode changes.
 */
export const read = Effect.fnUntraced(function* (sessionId: Session.SessionId) {
  const store = yield* SessionStore.SessionStore
  let { entries: end } = yield* store.session(sessionId)
  while (end > 0) {
    const start = Math.max(0, end - pageSize)
    const mode = modeOf(yield* store.entries(sessionId, start, end - start))
    if (mode !== null) return mode
    end = start
  }
  return null
})

/** Returns the mode in the last environment text of these entries; null: they have none. */
const modeOf = (entries: ReadonlyArray<Entry.Entry>): SessionMode.Mode | null => {
  const texts = entries.flatMap(({ body }) =>
    body._tag === "ContextAdded" && body.source === ContextSource.environment ? [body.text] : []
  )
  const newest = texts.at(-1)
  return newest === undefined ? null : SessionMode.modeIn(newest)
}

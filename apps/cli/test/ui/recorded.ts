/** The events when an entry of a session is stored. */
import { Entry, type Event, type Session } from "@bough/protocol"

export const recorded = (sessionId: Session.SessionId, body: Entry.Body, seq = 0): Event.Event => ({
  _tag: "Recorded",
  sessionId,
  entry: { id: Entry.idOf(sessionId, seq), sessionId, seq, commit: seq + 1, labels: [], digest: "", body }
})

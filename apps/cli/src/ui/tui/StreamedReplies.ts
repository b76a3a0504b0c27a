/** The streamed text of replies that are not stored yet, for a transcript that is opened in the middle of a reply. */
import type { Event } from "@bough/protocol"

export interface StreamedReplies {
  readonly add: (event: Event.Event) => void
  /** The deltas of the session's current reply, oldest first. */
  readonly current: (sessionId: string) => ReadonlyArray<Event.Event>
}

export const make = (): StreamedReplies => {
  const replies = new Map<string, Array<Event.Event>>()
  return {
    add: (event) => {
      if (event._tag === "TextDelta" || event._tag === "ReasoningDelta") {
        const deltas = replies.get(event.sessionId)
        if (deltas === undefined) replies.set(event.sessionId, [event])
        else deltas.push(event)
      } else if (event._tag === "Recorded" && endsReply(event.entry.body._tag)) replies.delete(event.sessionId)
    },
    current: (sessionId) => replies.get(sessionId) ?? []
  }
}

/** A step that is retried begins a new reply. */
const endsReply = (tag: string): boolean => tag === "ModelReplied" || tag === "StepStarted" || tag === "SessionEnded"

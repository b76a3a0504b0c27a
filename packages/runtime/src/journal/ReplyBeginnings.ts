/** The beginnings of unfinished replies whose first deltas a log has dropped, for readers that connect late. */
import type { Event, Session } from "@bough/protocol"

type Delta = Extract<Event.Event, { readonly _tag: "TextDelta" | "ReasoningDelta" }>

/** Consecutive deltas of one kind, joined. */
interface JoinedDeltas {
  readonly first: Delta
  text: string
  entries: number
}

export class ReplyBeginnings {
  readonly #bySession = new Map<Session.SessionId, Array<JoinedDeltas>>()

  /** Adds an event that the log drops. `entries`: the number of entries in the journal of the event's session. */
  add(event: Event.Event, entries: number): void {
    if (event._tag === "Recorded") {
      const { _tag } = event.entry.body
      if (_tag === "ModelReplied" || _tag === "StepStarted") this.#bySession.delete(event.sessionId)
      return
    }
    if (event._tag !== "TextDelta" && event._tag !== "ReasoningDelta") return
    const known = this.#bySession.get(event.sessionId)
    const [head] = known ?? []
    const isSameReply = head !== undefined && head.first.turn === event.turn && head.first.step === event.step
    const joined = isSameReply && known !== undefined ? known : []
    const last = joined.at(-1)
    if (last?.first._tag === event._tag) {
      last.text += event.text
      last.entries = entries
    } else joined.push({ first: event, text: event.text, entries })
    this.#bySession.set(event.sessionId, joined)
  }

  clear(): void {
    this.#bySession.clear()
  }

  deltas(): ReadonlyArray<{ readonly event: Delta; readonly entries: number }> {
    return Array.from(this.#bySession.values()).flatMap((joined) =>
      joined.map(({ entries, first, text }) => ({ event: { ...first, text }, entries }))
    )
  }
}

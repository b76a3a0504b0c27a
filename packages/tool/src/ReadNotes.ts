/**
 * Notes of what a call read, by which a recorded result may answer an equal call: adr/0115-results-used-again.md. An adapter takes
 * part with `notesReads`, and then notes everything that its service reads, or says that it cannot.
 */
import type * as Effect from "effect/Effect"

/** One thing that a call read, noted before it is read. */
export interface ReadFact {
  /** True while it is as it was when it was noted. It must not fail, and must not ask the network. */
  readonly holds: Effect.Effect<boolean>
}

export interface ReadNotes {
  readonly note: (fact: ReadFact) => void
  /** Says that the call reads something that cannot be noted: its result answers no other call. */
  readonly unnoted: () => void
}

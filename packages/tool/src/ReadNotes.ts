/**
 * Records the facts that a call read. An equal call may get the recorded result while these facts hold:
 * adr/0115-results-used-again.md. An adapter with `notesReads` records everything that its service reads, or declares
 * that it cannot.
 */
import type * as Effect from "effect/Effect"

/** One fact that a call read, noted before it is read. */
export interface ReadFact {
  /** Returns true while the fact is unchanged. It must not fail, and must not use the network. */
  readonly holds: Effect.Effect<boolean>
}

export interface ReadNotes {
  readonly note: (fact: ReadFact) => void
  /** Declares that the call reads data that cannot be noted, so that its result is not reused. */
  readonly noteUncacheable: () => void
}

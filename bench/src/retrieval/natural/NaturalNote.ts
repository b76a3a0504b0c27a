/** A note of the natural set: written by hand, as one user would leave it to an agent. */
import type { Note } from "@bough/protocol"

export interface NaturalNote {
  readonly id: string
  /** The day on which it was written. */
  readonly on: string
  readonly kind: Note.Kind
  readonly text: string
}

export const note = (id: string, on: string, kind: Note.Kind, text: string): NaturalNote => ({ id, on, kind, text })

/** Notes of one user, of which the first is about a physician. */
import { Note } from "@bough/protocol"
import type { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"

export const place = { user: "ann", hold: null }
export const query = { text: "doctor", limit: 3, tags: [], kinds: [] }

export const draft = (n: number, text: string): NoteStore.Draft => ({
  noteId: Note.NoteId.make(`note-${n}`),
  kind: "fact",
  text,
  tags: [],
  source: "",
  untrusted: false,
  createdAtMillis: null
})

export const save = (store: NoteStore.NoteStore["Service"], n: number, text: string) =>
  store.save(place, draft(n, text))

/** Saves without comparing with existing notes, as an import does. */
export const fill = (store: NoteStore.NoteStore["Service"], first: number, count: number) =>
  Effect.forEach(
    Array.from({ length: count }, (_, n) => first + n),
    (n) => save(store, n, n === 0 ? "The physician is on holiday" : `entry ${n} about topic ${n % 7}`),
    { concurrency: 500, discard: true }
  )

/** Users of a store under test, and drafts of their notes. */
import { Note } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as NoteStore from "../../NoteStore.ts"

export const usual: NoteStore.Filter = { tags: [], kinds: [] }

export const id = (noteId: string): Note.NoteId => Note.NoteId.make(noteId)

export const draft = (noteId: string, text: string, fields: Partial<NoteStore.Draft> = {}): NoteStore.Draft => ({
  noteId: id(noteId),
  kind: "fact",
  text,
  tags: [],
  source: "test",
  untrusted: false,
  createdAtMillis: null,
  ...fields
})

let users = 0
/** Makes a new user and the functions that use their notes. */
export const someone = Effect.map(NoteStore.NoteStore, (store) => {
  const user = `user ${users++}`
  const scopeOf = (hold: string | null = null): NoteStore.NoteScope => ({ user, hold })
  const search = (text: string, filter: Partial<NoteStore.Filter> = {}, hold: string | null = null) =>
    Effect.map(store.search(scopeOf(hold), { ...usual, ...filter, text, limit: 20 }), (rows) =>
      rows.map(({ note }) => String(note.noteId))
    )
  const all = (hold: string | null = null) =>
    Effect.map(store.list(scopeOf(hold), { ...usual, after: "", limit: 1000 }), (notes) =>
      notes.map(({ text }) => text)
    )
  return { store, user, place: scopeOf, found: search, all }
})

/** Caches the preferences of a user and a project until a note is written or dropped. */
import type * as Preferences from "@bough/memory/Preferences"
import type { Note } from "@bough/protocol"
import type { NoteStore } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

const pageLength = 500

/** Makes a cache for one user and project. The memory package is not loaded if there are no preferences. */
export const make = (store: NoteStore.NoteStore["Service"]) => {
  let known: { readonly at: string; readonly notes: ReadonlyArray<Note.Note> } | null = null

  const read = Effect.fnUntraced(function* (noteScope: NoteStore.NoteScope) {
    const notes: Array<Note.Note> = []
    while (true) {
      const after = notes.at(-1)?.noteId ?? ""
      const page = yield* store.list(noteScope, { tags: [], kinds: ["preference"], after, limit: pageLength })
      notes.push(...page)
      if (page.length < pageLength) return notes
    }
  })

  return Effect.fnUntraced(function* (
    noteScope: NoteStore.NoteScope,
    maxLength: number
  ): Effect.fn.Return<Preferences.StandingPreferences | null, NoteStore.NoteStoreFailed> {
    const { dropped, written } = yield* store.counters
    const at = `${written} ${dropped}`
    if (known?.at !== at) known = { at, notes: yield* read(noteScope) }
    const { notes } = known
    if (notes.length === 0) return null
    const format = yield* Effect.promise(() => import("@bough/memory/Preferences"))
    return format.make(notes, { maxLength, nowMillis: yield* Clock.currentTimeMillis })
  })
}

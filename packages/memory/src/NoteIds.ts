/** Prefixes of note ids: short enough for a line, long enough to be unique among the user's notes. */
import { Note, ToolError } from "@bough/protocol"
import type { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import { toToolError } from "./StoreFailure.ts"

/** `note-` and the beginning of a UUID, which two notes rarely share. */
const shortest = "note-12345678".length
/** The maximum number of ids that an error names. */
const maxNamed = 5

type Store = NoteStore.NoteStore["Service"]

const idsWithPrefix = (
  store: Store,
  scope: NoteStore.NoteScope,
  page: { readonly after: string; readonly limit: number }
) =>
  Effect.map(store.list(scope, { tags: [], kinds: Note.Kind.literals, ...page }), (notes) =>
    notes.filter(({ noteId }) => noteId.startsWith(page.after))
  )

/** Returns the shortest unique prefix of a note's id, with which `find` finds it. */
export const shorten = Effect.fnUntraced(function* (store: Store, scope: NoteStore.NoteScope, noteId: Note.NoteId) {
  for (let length = shortest; length < noteId.length; length++) {
    const short = noteId.slice(0, length)
    const others = yield* idsWithPrefix(store, scope, { after: short, limit: 2 })
    const exactMatch = yield* store.get(scope, Note.NoteId.make(short))
    if (exactMatch === null && others.every((note) => note.noteId === noteId)) return short
  }
  return noteId
})

/**
 * Returns the note with that id or unique prefix; null: there is none. An ambiguous prefix is an error that names the
 * notes.
 */
export const find = Effect.fnUntraced(function* (
  store: Store,
  scope: NoteStore.NoteScope,
  idOrPrefix: string
): Effect.fn.Return<Note.Note | null, NoteStore.NoteStoreFailed | ToolError.ValidationError> {
  const exactMatch = yield* store.get(scope, Note.NoteId.make(idOrPrefix))
  if (exactMatch !== null || idOrPrefix.length < shortest) return exactMatch
  const found = yield* idsWithPrefix(store, scope, { after: idOrPrefix, limit: maxNamed + 1 })
  if (found.length <= 1) return found[0] ?? null
  const named = found.slice(0, maxNamed).map(({ noteId }) => noteId)
  return yield* new ToolError.ValidationError({
    message: `several notes begin with ${idOrPrefix}: ${named.join(", ")}${found.length > maxNamed ? " and more" : ""}`,
    field: "noteId",
    issues: []
  })
})

/** Finds a note in the same way, and fails with errors for a tool. */
export const findForTool = (
  store: Store,
  scope: NoteStore.NoteScope,
  idOrPrefix: string
): Effect.Effect<Note.Note | null, ToolError.ExecutionError | ToolError.ValidationError> =>
  Effect.catchTag(find(store, scope, idOrPrefix), "NoteStoreFailed", (error) => Effect.fail(toToolError(error)))

/** Finds a note of any project by the id, or prefix of an id, on the command line. */
import { Note } from "@bough/protocol"
import type { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import { usage } from "../CliFailure.ts"
import * as IdPrefix from "@bough/host/session/IdPrefix"
import { everything } from "./WithNotes.ts"

const notes: IdPrefix.IdListing<Note.Note> = {
  idOf: ({ noteId }) => noteId,
  plural: "notes",
  lists: "ListNotes"
}

interface Where {
  /** The notes of all projects. */
  readonly everywhere: NoteStore.NoteScope
  readonly store: NoteStore.NoteStore["Service"]
}

/** Finds a note by its id or by a unique prefix; null: none. */
export const find = Effect.fnUntraced(function* ({ everywhere, store }: Where, idOrPrefix: string) {
  const whole = idOrPrefix === "" ? null : yield* store.get(everywhere, Note.NoteId.make(idOrPrefix))
  if (whole !== null) return whole
  const after = yield* store.list(everywhere, { ...everything, after: idOrPrefix, limit: IdPrefix.maxNamed + 1 })
  return yield* IdPrefix.findUnique(idOrPrefix, after, notes)
})

/** Returns the versions of a removed or superseded note, the last ended first. */
export const past = ({ everywhere, store }: Where, idOrPrefix: string) =>
  idOrPrefix === "" ? Effect.succeed([]) : store.history(everywhere, Note.NoteId.make(idOrPrefix))

/** Finds the note; fails if there is none. */
export const get = Effect.fnUntraced(function* (where: Where, idOrPrefix: string) {
  const found = yield* find(where, idOrPrefix)
  if (found !== null) return found
  const [last] = yield* past(where, idOrPrefix)
  const gone = last === undefined ? "" : `: ${wayOf(last)}`
  return yield* usage(`unknown note ${JSON.stringify(idOrPrefix)}${gone}`, '"bough memory list --all" lists them')
})

/** Describes how a note ended. */
export const wayOf = ({ note, noteId, reason }: Note.PastVersion): string =>
  noteId === note.noteId || reason !== "superseded" ? "it was removed" : `it was superseded by ${noteId}`

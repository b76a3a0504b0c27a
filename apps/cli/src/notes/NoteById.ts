/** Finds a note of any project by the id, or prefix of an id, on the command line. */
import * as IdPrefix from "@bough/host/session/IdPrefix"
import { Note } from "@bough/protocol"
import type { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import { usage } from "../CliFailure.ts"
import { allKinds } from "./WithNotes.ts"

const noteListing: IdPrefix.IdListing<Note.Note> = {
  idOf: ({ noteId }) => noteId,
  plural: "notes",
  lists: "ListNotes"
}

interface NoteContext {
  /** The notes of all projects. */
  readonly allProjects: NoteStore.NoteScope
  readonly store: NoteStore.NoteStore["Service"]
}

/** Finds a note by its id or by a unique prefix; null: no note has it. */
export const find = Effect.fnUntraced(function* ({ allProjects, store }: NoteContext, idOrPrefix: string) {
  const exactNote = idOrPrefix === "" ? null : yield* store.get(allProjects, Note.NoteId.make(idOrPrefix))
  if (exactNote !== null) return exactNote
  // Ids are sorted: those that begin with the prefix are the first ones after the prefix itself.
  const following = yield* store.list(allProjects, { ...allKinds, after: idOrPrefix, limit: IdPrefix.maxNamed + 1 })
  return yield* IdPrefix.findUnique(idOrPrefix, following, noteListing)
})

/** Returns the versions of a removed or superseded note, most recently ended first. */
export const pastVersions = ({ allProjects, store }: NoteContext, idOrPrefix: string) =>
  idOrPrefix === "" ? Effect.succeed([]) : store.history(allProjects, Note.NoteId.make(idOrPrefix))

/** Finds the note; fails if there is none. */
export const get = Effect.fnUntraced(function* (context: NoteContext, idOrPrefix: string) {
  const found = yield* find(context, idOrPrefix)
  if (found !== null) return found
  const [last] = yield* pastVersions(context, idOrPrefix)
  const endedText = last === undefined ? "" : `: ${endText(last)}`
  return yield* usage(`unknown note ${JSON.stringify(idOrPrefix)}${endedText}`, '"bough memory list --all" lists them')
})

/** Describes how a note ended. */
export const endText = ({ note, noteId, reason }: Note.PastVersion): string =>
  noteId === note.noteId || reason !== "superseded" ? "it was removed" : `it was superseded by ${noteId}`

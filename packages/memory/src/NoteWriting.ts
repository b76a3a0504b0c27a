/** What a call saves, changes and removes: first looked through for secrets, and compared with what is known. */
import { Canonical, Note, ToolError } from "@bough/protocol"
import type { Invocation, MemoryWrite, NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import type * as KnownText from "./KnownText.ts"
import type * as MemoryFiles from "./MemoryFiles.ts"
import * as StorableText from "./StorableText.ts"
import { toToolError } from "./StoreFailure.ts"

type Caller = Invocation.Invocation["Service"]

export interface Parts {
  readonly store: NoteStore.NoteStore["Service"]
  readonly knownText: KnownText.KnownText
  /** To be run after each change of a note. */
  readonly written: Effect.Effect<void>
  /** Fails where nobody is known. */
  readonly place: Effect.Effect<NoteStore.Place, ToolError.ExecutionError>
  readonly files: Effect.Effect<MemoryFiles.MemoryFiles, ToolError.ExecutionError>
}

/** The same call makes the same note, however often it is run. */
const noteIdOf = (callKey: string): Note.NoteId => {
  const hex = Canonical.digest(`note ${callKey}`).slice(7)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)]
  return Note.NoteId.make(`note-${parts.join("-")}`)
}

/** MemoryWrite for one call. */
export const make = (
  { files, knownText, place, store, written }: Parts,
  caller: Caller
): MemoryWrite.MemoryWrite["Service"] => ({
  save: Effect.fnUntraced(function* (given) {
    const at = yield* place
    const { hidden, text } = yield* StorableText.fit(given)
    const noteId = noteIdOf(caller.callKey)
    const own = yield* Effect.mapError(store.get(at, noteId), toToolError)
    if (own !== null) return { status: "Kept", note: own, known: [own], hidden }
    const { fresh, known } = yield* Effect.mapError(knownText.part(at, text), toToolError)
    if (fresh === "" && known.length > 0) return { status: "Kept", note: known[0], known, hidden }
    const saved = yield* store
      .save(at, {
        noteId,
        kind: given.kind ?? "fact",
        text: fresh === "" ? text : fresh,
        tags: Note.normaliseTags(given.tags ?? []),
        source: `session ${caller.sessionId}`,
        untrusted: caller.labels.includes("untrusted"),
        createdAtMillis: null
      })
      .pipe(Effect.mapError(toToolError))
    yield* written
    return { ...saved, known: saved.status === "Kept" ? [saved.note] : [], hidden }
  }),
  update: Effect.fnUntraced(function* (noteId, given) {
    const at = yield* place
    const { hidden, text } = yield* StorableText.fit(given)
    const tags = given.tags === null ? null : Note.normaliseTags(given.tags)
    const note = yield* Effect.mapError(
      store.update(at, noteId, { text, kind: given.kind, tags, untrusted: caller.labels.includes("untrusted") }),
      toToolError
    )
    if (note === null) return yield* unknownNote(noteId)
    yield* written
    return { status: "Saved", note, known: [], hidden }
  }),
  remove: Effect.fnUntraced(function* (noteId) {
    const at = yield* place
    if (!(yield* Effect.mapError(store.remove(at, noteId), toToolError))) return yield* unknownNote(noteId)
    yield* written
  }),
  writeFile: (path, content) =>
    Effect.flatMap(files, ({ writeFile }) =>
      Effect.andThen(StorableText.withoutNewSecret("", content), writeFile(path, content))
    ),
  editFile: (path, edit) =>
    Effect.flatMap(files, ({ editFile }) =>
      editFile(path, (before) => Effect.tap(edit(before), (after) => StorableText.withoutNewSecret(before, after)))
    )
})

const unknownNote = (noteId: string) =>
  new ToolError.ValidationError({
    message: `there is no note ${noteId}: search_memory gives the ids of notes`,
    field: "noteId",
    issues: []
  })

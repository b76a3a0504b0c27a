/**
 * Saves, changes and removes notes for a call: each text is first searched for secrets and compared with the known
 * notes.
 */
import { Canonical, Note, ToolError } from "@bough/protocol"
import type { Invocation, MemoryWrite, NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import type * as Deduplicate from "./Deduplicate.ts"
import type * as MemoryFiles from "./MemoryFiles.ts"
import * as NoteIds from "./NoteIds.ts"
import * as StorableText from "./StorableText.ts"
import { toToolError } from "./StoreFailure.ts"

type Caller = Invocation.Invocation["Service"]

export interface Parts {
  readonly store: NoteStore.NoteStore["Service"]
  readonly knownText: Deduplicate.KnownText
  /** Runs after each change of a note. */
  readonly written: Effect.Effect<void>
  /** Fails if the user is not known. */
  readonly scopeOfCaller: Effect.Effect<NoteStore.NoteScope, ToolError.ExecutionError>
  readonly files: Effect.Effect<MemoryFiles.MemoryFiles, ToolError.ExecutionError>
}

/** Returns the note's id, which is the same for every run of the call. */
const noteIdOf = (callKey: string): Note.NoteId => {
  const hex = Canonical.digest(`note ${callKey}`).slice(7)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)]
  return Note.NoteId.make(`note-${parts.join("-")}`)
}

const none: ReadonlyArray<Note.Note> = []

/** Makes the MemoryWrite of one call. */
export const make = (
  { files, knownText, scopeOfCaller, store, written }: Parts,
  caller: Caller
): MemoryWrite.MemoryWrite["Service"] => {
  const source = `session ${caller.sessionId}`
  const untrusted = caller.labels.includes("untrusted")

  /** Returns the scope of a note: the user, unless the note is saved for the project. */
  const scopeFor = (scope: NoteStore.NoteScope, requested: MemoryWrite.NoteScope) =>
    requested === "user"
      ? Effect.succeed({ ...scope, project: null })
      : typeof scope.project === "string"
        ? Effect.succeed(scope)
        : Effect.fail(noProject)

  const findAll = (scope: NoteStore.NoteScope, ids: ReadonlyArray<Note.NoteId>) =>
    Effect.forEach([...new Set(ids)], (noteId) =>
      Effect.flatMap(NoteIds.findForTool(store, scope, noteId), (note) =>
        note === null ? Effect.flatMap(unknown(scope, noteId), Effect.fail) : Effect.succeed(note)
      )
    )

  /** Returns the full id of a note. If there is no such note, returns the id itself, which the error then names. */
  const fullIdOf = (scope: NoteStore.NoteScope, noteId: Note.NoteId) =>
    Effect.map(NoteIds.findForTool(store, scope, noteId), (note) => note?.noteId ?? noteId)

  /** Makes the error for an unknown note. */
  const unknown = (scope: NoteStore.NoteScope, noteId: Note.NoteId) =>
    Effect.map(Effect.mapError(store.history(scope, noteId), toToolError), (versions) =>
      unknownNote(noteId, versions.find((version) => version.noteId !== noteId)?.noteId ?? null)
    )

  return {
    save: Effect.fnUntraced(function* (draft) {
      const scope = yield* scopeOfCaller
      const { hidden, text } = yield* StorableText.fit(draft)
      const noteId = noteIdOf(caller.callKey)
      const existing = yield* Effect.mapError(store.get(scope, noteId), toToolError)
      if (existing !== null) return { status: "Kept", note: existing, known: [existing], near: none, hidden }
      const noteScope = yield* scopeFor(scope, draft.scope ?? "user")
      const old = yield* findAll(scope, draft.supersedes ?? [])
      const without = new Set(old.map((note) => note.noteId))
      const { fresh, known, near } = yield* Effect.mapError(knownText.part(noteScope, text, without), toToolError)
      const isKnown = fresh === "" && known.length > 0
      if (isKnown && old.length === 0) return { status: "Kept", note: known[0], known, near: none, hidden }
      const saved = yield* store
        .save(scope, {
          noteId,
          kind: draft.kind ?? "fact",
          // The note supersedes a note that is already known.
          text: isKnown ? known[0].text : fresh === "" ? text : fresh,
          tags: Note.normaliseTags(draft.tags ?? []),
          source,
          untrusted,
          createdAtMillis: null,
          validUntilMillis: draft.validUntilMillis ?? null,
          project: noteScope.project ?? null,
          supersedes: [...without]
        })
        .pipe(Effect.mapError(toToolError))
      yield* written
      return saved.status === "Kept"
        ? { ...saved, known: [saved.note], near: none, hidden }
        : { ...saved, known: none, near, hidden }
    }),
    update: Effect.fnUntraced(function* (shortId, draft) {
      const scope = yield* scopeOfCaller
      const noteId = yield* fullIdOf(scope, shortId)
      const { hidden, text } = yield* StorableText.fit(draft)
      const to = draft.scope === undefined ? undefined : ((yield* scopeFor(scope, draft.scope)).project ?? null)
      const note = yield* Effect.mapError(
        store.update(scope, noteId, {
          text,
          kind: draft.kind,
          tags: draft.tags === null ? null : Note.normaliseTags(draft.tags),
          untrusted,
          by: source,
          ...(draft.validUntilMillis === undefined ? {} : { validUntilMillis: draft.validUntilMillis }),
          ...(to === undefined ? {} : { project: to })
        }),
        toToolError
      )
      if (note === null) return yield* Effect.flatMap(unknown(scope, noteId), Effect.fail)
      yield* written
      return { status: "Saved", note, known: none, near: none, hidden }
    }),
    remove: Effect.fnUntraced(function* (shortId, history = "Erase") {
      const scope = yield* scopeOfCaller
      const noteId = yield* fullIdOf(scope, shortId)
      const isGone = yield* Effect.mapError(store.remove(scope, noteId, { history, by: source }), toToolError)
      if (!isGone) return yield* Effect.flatMap(unknown(scope, noteId), Effect.fail)
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
  }
}

const noProject = new ToolError.ValidationError({
  message: 'this session is in no project: save it with scope "user"',
  field: "scope",
  issues: []
})

const unknownNote = (noteId: string, successor: string | null) =>
  new ToolError.ValidationError({
    message:
      successor === null
        ? `there is no note ${noteId}: search_memory gives the ids of notes`
        : `the note ${noteId} no longer exists: ${successor} supersedes it, use that id`,
    field: "noteId",
    issues: []
  })

/** MemoryRead for one call: notes, conversations and files. The call is marked as untrusted if a text that it reads is. */
import { Note, type ToolError } from "@bough/protocol"
import type { Invocation, MemoryRead, NoteStore, ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import type * as Conversations from "./Conversations.ts"
import type * as Deduplicate from "./Deduplicate.ts"
import type * as MemoryFiles from "./MemoryFiles.ts"
import * as NoteIds from "./NoteIds.ts"
import type * as NoteSearch from "./NoteSearch.ts"
import { toToolError } from "./StoreFailure.ts"

export interface Parts {
  readonly store: NoteStore.NoteStore["Service"]
  readonly search: NoteSearch.NoteSearch["search"]
  readonly conversations: Conversations.Conversations
  readonly knownText: Deduplicate.KnownText
  /** Fails if the user is not known. */
  readonly scopeOfCaller: Effect.Effect<NoteStore.NoteScope, ToolError.ExecutionError>
  readonly files: Effect.Effect<MemoryFiles.MemoryFiles, ToolError.ExecutionError>
}

export const make = (
  { conversations, files, knownText, scopeOfCaller, search, store }: Parts,
  { sessionId, sessionPath }: Pick<Invocation.Invocation["Service"], "sessionId" | "sessionPath">,
  mark: ToolContext.Mark
): MemoryRead.MemoryRead["Service"] => {
  const markUntrusted = (notes: ReadonlyArray<Note.Note>): void => {
    if (notes.some(({ untrusted }) => untrusted)) mark("untrusted")
  }
  // The origin of a file's text is unknown.
  const untrustedFiles = Effect.tap(files, () => Effect.sync(() => mark("untrusted")))
  return {
    search: Effect.fnUntraced(function* (query) {
      const tags = Note.normaliseTags(query.tags)
      const found = yield* Effect.mapError(search(yield* scopeOfCaller, { ...query, tags }), toToolError)
      markUntrusted(found.notes.map(({ note }) => note))
      return found
    }),
    get: Effect.fnUntraced(function* (noteId) {
      const scope = yield* scopeOfCaller
      const note = yield* NoteIds.findForTool(store, scope, noteId)
      if (note === null) return null
      markUntrusted([note])
      knownText.remember(scope.user, [note])
      return note
    }),
    conversations: Effect.fnUntraced(function* (query) {
      const { user } = yield* scopeOfCaller
      const found = yield* Effect.mapError(
        conversations.search({ user, without: sessionPath[0] ?? sessionId }, query),
        toToolError
      )
      for (const { labels } of found.messages) labels.forEach(mark)
      return found
    }),
    history: Effect.fnUntraced(function* (noteId) {
      const scope = yield* scopeOfCaller
      const fullId = (yield* NoteIds.findForTool(store, scope, noteId))?.noteId ?? noteId
      const versions = yield* Effect.mapError(store.history(scope, fullId), toToolError)
      markUntrusted(versions.map(({ note }) => note))
      return versions
    }),
    listFiles: Effect.flatMap(untrustedFiles, ({ listFiles }) => listFiles),
    readFile: (path) => Effect.flatMap(untrustedFiles, ({ readFile }) => readFile(path))
  }
}

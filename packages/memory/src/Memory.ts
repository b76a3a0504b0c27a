/**
 * The memory of every user of this process: MemoryRead and MemoryWrite for the calls of sessions, over the NoteStore
 * and the semantic index. The index is loaded with the first search.
 */
import { ToolError } from "@bough/protocol"
import { ConversationIndex, Invocation, MemoryRead, MemoryWrite, NoteStore, type ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { join } from "node:path"
import * as Conversations from "./Conversations.ts"
import * as Deduplicate from "./Deduplicate.ts"
import type { Embedder } from "./Embedder.ts"
import * as FileFolders from "./FileFolders.ts"
import type * as Fusion from "./Fusion.ts"
import * as MemoryFiles from "./MemoryFiles.ts"
import * as NoteIndex from "./NoteIndex.ts"
import * as NoteReading from "./NoteReading.ts"
import * as NoteSearch from "./NoteSearch.ts"
import * as NoteWriting from "./NoteWriting.ts"

type Caller = Invocation.Invocation["Service"]

export interface MemoryOptions {
  /** The directory of the index and of the Markdown files; created if it is missing. */
  readonly directory: string
  /** The root of the sessions' project, whose notes they see beside the user's; null or absent: none. */
  readonly project?: string | null
  /** Null: notes are found only by their words. */
  readonly embedder: Embedder | null
  readonly weights: Fusion.Weights
  readonly onProgress: NoteIndex.Progress
  /**
   * The maximum number of notes that are compared one by one; a larger memory has a LanceDB table of vectors, if
   * LanceDB is installed. Default 20,000.
   */
  readonly largestExact?: number
  /** The entry of the table's library (`VectorLibrary`); default: it can only be installed beside this package. */
  readonly library?: string | null
}

export interface Memory extends NoteSearch.NoteSearch {
  /**
   * `hold`: the key under which changes are staged until they are settled; default: null, they are committed at once.
   * `mark` is called if a text that was read is untrusted.
   */
  readonly read: (caller: Caller, mark: ToolContext.Mark, hold?: string | null) => MemoryRead.MemoryRead["Service"]
  readonly write: (caller: Caller, hold?: string | null) => MemoryWrite.MemoryWrite["Service"]
  readonly index: NoteIndex.NoteIndex
  readonly conversations: Conversations.Conversations
}

const noUser = "this session has no user, and memory is stored per user: start the session with a user to use memory"

export const make = Effect.fnUntraced(function* (
  options: MemoryOptions
): Effect.fn.Return<Memory, never, NoteStore.NoteStore | ConversationIndex.ConversationIndex | Scope.Scope> {
  const store = yield* NoteStore.NoteStore
  const index = yield* NoteIndex.make({ ...options, directory: join(options.directory, "index") })
  const conversations = Conversations.make(yield* ConversationIndex.ConversationIndex)
  const knownText = Deduplicate.make(store)
  const { findBearing: bearing, search } = NoteSearch.make({ store, index, knownText, weights: options.weights })

  const scopeOf = (
    { user }: Caller,
    hold: string | null
  ): Effect.Effect<NoteStore.NoteScope, ToolError.ExecutionError> =>
    user === null
      ? Effect.fail(new ToolError.ExecutionError({ message: noUser }))
      : Effect.succeed({ user, hold, project: options.project ?? null })

  const filesOf = (caller: Caller, hold: string | null) =>
    Effect.map(scopeOf(caller, hold), ({ user }) => MemoryFiles.make(FileFolders.files(options.directory), user, hold))

  return {
    search,
    findBearing: bearing,
    read: (caller, mark, hold = null) => {
      const [scopeOfCaller, files] = [scopeOf(caller, hold), filesOf(caller, hold)]
      return NoteReading.make({ store, search, conversations, knownText, scopeOfCaller, files }, caller, mark)
    },
    write: (caller, hold = null) => {
      const [scopeOfCaller, files] = [scopeOf(caller, hold), filesOf(caller, hold)]
      return NoteWriting.make({ store, knownText, written: index.written, scopeOfCaller, files }, caller)
    },
    index,
    conversations
  }
})

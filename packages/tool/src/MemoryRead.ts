/**
 * The memory of the session's user, and of no other user: notes, earlier conversations, and Markdown files for longer
 * texts. Without a user every method fails with an ExecutionError that gives this reason.
 */
import type { Note, Session, ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ConversationMessage } from "./ConversationIndex.ts"

export interface MemoryQuery {
  readonly text: string
  readonly limit: number
  /** Restricts to notes with all of these tags. */
  readonly tags: ReadonlyArray<string>
  /** Restricts to these kinds; empty: every kind but `conversation`. */
  readonly kinds: ReadonlyArray<Note.Kind>
}

/**
 * Nearly all notes marked `sure` answer the query. Of the notes marked `maybe`, about the share that their score
 * predicts answers it.
 */
export type Confidence = "sure" | "maybe"

export interface RecalledNote {
  readonly note: Note.Note
  /** The likelihood that the note answers the query, from 0 to 1; comparable across queries, stores and models. */
  readonly score: number
  readonly confidence: Confidence
}

export interface MemorySearch {
  /** The notes, best first; if none is likely to answer, the nearest ones. */
  readonly notes: ReadonlyArray<RecalledNote>
  /** False: none of the notes is likely to answer the query, and the memory may not contain the answer. */
  readonly fits: boolean
  /** The reason why notes were compared only by words; null: they were compared by words and meaning. */
  readonly wordsOnly: string | null
}

export interface ConversationQuery {
  readonly text: string
  readonly limit: number
  /** True to list conversations of this workspace first. */
  readonly workspaceRoot: string
}

export interface ConversationSearch {
  /** The excerpts: first those of this workspace, then the others, each group with the best first. */
  readonly messages: ReadonlyArray<ConversationMessage>
  /** The number of entries that the search did not cover because they are not indexed yet. */
  readonly notIndexed: number
}

/** `path` is relative to the root, with `/`. `summary` is the text of the file's `> Summary:` line; "" without one. */
export interface MemoryFile {
  readonly path: string
  readonly summary: string
  readonly bytes: number
}

type Answer<A> = Effect.Effect<A, ToolError.ToolError>

// If a note or a memory file was written by a session with untrusted text, a call that reads it also gets the label
// `untrusted`.
const labels: ReadonlyArray<Session.Label> = ["private"]

export class MemoryRead extends Context.Service<
  MemoryRead,
  {
    readonly search: (query: MemoryQuery) => Answer<MemorySearch>
    /** Null: there is no such note. */
    readonly get: (noteId: Note.NoteId) => Answer<Note.Note | null>
    /** Searches the messages of the user and the model in other sessions than the calling one. */
    readonly conversations: (query: ConversationQuery) => Answer<ConversationSearch>
    /** Returns the earlier texts of a note and the notes that it superseded, most recently ended first. */
    readonly history: (noteId: Note.NoteId) => Answer<ReadonlyArray<Note.PastVersion>>
    /** Lists the files by path. */
    readonly listFiles: Answer<ReadonlyArray<MemoryFile>>
    readonly readFile: (path: string) => Answer<string>
  }
>()("@bough/tool/MemoryRead") {
  static readonly floor = "ReadOnly"
  static readonly labels = labels
}

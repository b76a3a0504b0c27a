/**
 * An index of earlier conversations by their words: a port, not a capability, so tools cannot use it. The journal is
 * the record; the index is built from it and may be lost at any time.
 *
 * A text is a user's message, or the model's answer, in a session that users talk to. Messages between sessions are
 * not indexed.
 */
import type { Session } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { NoteStoreFailed } from "./NoteStore.ts"

export interface ConversationMessage {
  readonly sessionId: Session.SessionId
  readonly seq: number
  readonly speaker: "user" | "agent"
  /** The text as stored in the journal. */
  readonly text: string
  /** The labels of the entry. */
  readonly labels: ReadonlyArray<Session.Label>
  /** The title of the session. */
  readonly title: string
  readonly workspaceRoot: string
  /** The times at which the session began and last changed. */
  readonly startedAtMillis: number
  readonly updatedAtMillis: number
  /** The score: higher is better; scores of different queries are not comparable. */
  readonly score: number
}

export interface MessageQuery {
  readonly user: string
  readonly text: string
  readonly limit: number
  /** Only texts from this workspace; null: from every workspace. */
  readonly workspaceRoot: string | null
  /** Leaves out this session; null: leaves out none. */
  readonly without: Session.SessionId | null
  /** Runs before the search, so that the search also finds the newest texts. */
  readonly catchUp: CatchUp
}

export interface MessageSearchResult {
  /** The results, best first, without repeated texts. */
  readonly messages: ReadonlyArray<ConversationMessage>
  /** The number of entries that are not indexed yet. */
  readonly unindexed: number
}

export interface CatchUp {
  /** Redacts a text before its words are indexed. */
  readonly redact: (text: string) => string
  /** The maximum number of entries that one run reads; the next run continues. */
  readonly maxEntries: number
  /** Builds the index from scratch. */
  readonly rebuild?: boolean
}

type Answer<A> = Effect.Effect<A, NoteStoreFailed>

export class ConversationIndex extends Context.Service<
  ConversationIndex,
  {
    /** Searches the user's own sessions, never those of another user. A text without a word finds nothing. */
    readonly search: (query: MessageQuery) => Answer<MessageSearchResult>
    /**
     * Indexes the entries since the last run, and returns the number of entries that are left. Any number of processes
     * may run it.
     */
    readonly catchUp: (options: CatchUp) => Answer<number>
  }
>()("@bough/tool/ConversationIndex") {}

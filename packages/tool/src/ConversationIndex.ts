/**
 * An index of earlier conversations by their words: a port and no capability, so no tool reaches it. The journal is
 * the record; the index is built from it and may be lost at any time.
 *
 * A text is a user's message, or the model's answer, in a session that people talk to. Messages between sessions are
 * not indexed.
 */
import type { Session } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { NoteStoreFailed } from "./NoteStore.ts"

export interface Said {
  readonly sessionId: Session.SessionId
  readonly seq: number
  readonly speaker: "user" | "agent"
  /** As the journal has it. */
  readonly text: string
  /** The labels of the entry. */
  readonly labels: ReadonlyArray<Session.Label>
  /** The title of the session. */
  readonly title: string
  readonly workspaceRoot: string
  /** When the session began, and when it last changed. */
  readonly startedAtMillis: number
  readonly updatedAtMillis: number
  /** The higher, the better; of no meaning across queries. */
  readonly score: number
}

export interface SaidQuery {
  readonly user: string
  readonly text: string
  readonly limit: number
  /** Only what was said in this workspace; null: in any. */
  readonly workspaceRoot: string | null
  /** Nothing of this session; null: of none is it left out. */
  readonly without: Session.SessionId | null
  /** Run before the search, which so finds what was said a moment ago. */
  readonly catchUp: CatchUp
}

export interface SaidFound {
  /** The best first, the same text once. */
  readonly said: ReadonlyArray<Said>
  /** Entries of conversations that are not indexed yet. */
  readonly left: number
}

export interface CatchUp {
  /** Redacts a text before its words are indexed. */
  readonly redact: (text: string) => string
  /** The most entries that one run reads; the next run continues. */
  readonly maxEntries: number
  /** Build the index from the beginning. */
  readonly anew?: boolean
}

type Answer<A> = Effect.Effect<A, NoteStoreFailed>

export class ConversationIndex extends Context.Service<
  ConversationIndex,
  {
    /** Another user's sessions are never found. A text without a word finds nothing. */
    readonly search: (query: SaidQuery) => Answer<SaidFound>
    /** Indexes what the journals hold since the last run; how many entries are left. Any number of processes may run it. */
    readonly catchUp: (options: CatchUp) => Answer<number>
  }
>()("@bough/tool/ConversationIndex") {}

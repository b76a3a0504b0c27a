/** A session that this process owns: send it messages, run its turns, call its tools. */
import type { Dispatched } from "@bough/dispatch/Call"
import type { Message, Session as SessionData } from "@bough/protocol"
import type * as Effect from "effect/Effect"
import type { ModelError } from "./Model.ts"
import type { JournalCorrupt, LeaseLost, StoreFailed } from "./SessionStore.ts"
import type { TurnResult } from "./Turn.ts"

/** Everything up to the failure stays in the journal; a later `run` or `resume` goes on from there. */
export type TurnFailure = ModelError | LeaseLost | StoreFailed | JournalCorrupt

export interface UserInput {
  readonly text: string
  readonly media: ReadonlyArray<Message.Media>
}

export interface Session {
  readonly sessionId: SessionData.SessionId
  /** Whether the last turn was left in the middle, by a crash or a parked approval. */
  readonly hasOpenTurn: Effect.Effect<boolean>
  /**
   * Sends a message and runs turns until none is waiting. Durable before the model is called. Interrupting it stops
   * what runs, records that, and leaves the session usable.
   */
  readonly run: (input: UserInput) => Effect.Effect<TurnResult, TurnFailure>
  /** Goes on with an open turn; null: there is none. */
  readonly resume: Effect.Effect<TurnResult | null, TurnFailure>
  /** Joins the running turn before its next step, or starts the next one. Durable on return. */
  readonly steer: (text: string) => Effect.Effect<void, StoreFailed>
  /** Runs one tool as the session would, outside of any turn. `argumentsText` is JSON. */
  readonly call: (
    tool: string,
    argumentsText: string
  ) => Effect.Effect<Dispatched, LeaseLost | StoreFailed | JournalCorrupt>
}

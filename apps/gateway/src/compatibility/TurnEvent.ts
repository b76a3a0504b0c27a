/**
 * The events that connect Bough's journal to the streams of other protocols. A stream contains each event once and in
 * order, whether it comes from live events, from the journal, or from both.
 */
import type { Approval, Entry, Session, SessionResult, Usage } from "@bough/protocol"

interface SessionEvent {
  readonly sessionId: Session.SessionId
}

interface StepEvent extends SessionEvent {
  readonly turn: number
  readonly step: number
}

interface CallEvent extends SessionEvent {
  readonly toolCallId: string
  readonly tool: string
  /** The raw text that the model wrote. */
  readonly arguments: string
}

/** The end of a turn. `suspended`: it waits for an approval; `stopped`: a limit or a user ended it. */
export type Status = "completed" | "suspended" | "stopped" | "failed"

export type TurnEvent =
  | ({ readonly _tag: "StepStarted"; readonly model: string } & StepEvent)
  /** More of the reply; the pieces of a step, in order, are its text. */
  | ({ readonly _tag: "Text"; readonly text: string } & StepEvent)
  | ({ readonly _tag: "Reasoning"; readonly text: string } & StepEvent)
  | ({ readonly _tag: "CallAsked" } & CallEvent & StepEvent)
  | ({
      readonly _tag: "ReplyEnded"
      readonly completion: "complete" | "interrupted"
      readonly calls: number
      readonly usage: Usage.Usage
    } & StepEvent)
  | ({ readonly _tag: "CallStarted" } & CallEvent)
  | ({ readonly _tag: "CallProgressed"; readonly message: string } & CallEvent)
  | ({ readonly _tag: "CallEnded"; readonly outcome: Entry.Outcome } & CallEvent)
  | ({ readonly _tag: "ApprovalAsked"; readonly request: Approval.Request } & SessionEvent)
  | ({
      readonly _tag: "ApprovalClosed"
      readonly approvalId: string
      readonly toolCallId: string
      readonly decision: Entry.BodyOf<"ApprovalDecided">["decision"]["_tag"]
    } & SessionEvent)
  /** `sessionId` is the child's. */
  | ({
      readonly _tag: "ChildStarted"
      readonly parentId: Session.SessionId
      readonly kind: Session.Kind
      readonly title: string
      readonly toolCallId: string
    } & SessionEvent)
  | ({ readonly _tag: "ChildEnded"; readonly result: SessionResult.SessionResult } & SessionEvent)
  /** A message from a session to users, apart from its reply. */
  | ({
      readonly _tag: "MessageSent"
      readonly messageId: string
      readonly title: string
      readonly text: string
    } & SessionEvent)
  | ({ readonly _tag: "Notice"; readonly message: string } & SessionEvent)
  /** The last event. */
  | ({ readonly _tag: "Ended" } & TurnEnd & SessionEvent)

export interface TurnEnd {
  readonly status: Status
  /** One sentence; "" if the status is enough. */
  readonly reason: string
  /** The tag of the error that ended it; null: no error did. */
  readonly error: string | null
  /** The total usage of all model calls that the stream reported. */
  readonly usage: Usage.Usage
  /** Requests of the tree that wait for a decision, those of earlier turns included. */
  readonly pending: ReadonlyArray<Approval.Request>
  /** How far each session's journal was reported; the next stream of the conversation begins there. */
  readonly positions: JournalPositions
}

/** The `seq` of the first unreported entry, by session of the tree. */
export type JournalPositions = Readonly<Record<string, number>>

export type EventOf<Tag extends TurnEvent["_tag"]> = Extract<TurnEvent, { readonly _tag: Tag }>

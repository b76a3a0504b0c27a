/**
 * The events that connect Bough's journal to the streams of other protocols. A stream contains each event once and in
 * order, whether it comes from live events, from the journal, or from both.
 */
import type { Approval, Entry, Session, SessionResult, Usage } from "@bough/protocol"

interface InSession {
  readonly sessionId: Session.SessionId
}

interface InStep extends InSession {
  readonly turn: number
  readonly step: number
}

interface OfCall extends InSession {
  readonly toolCallId: string
  readonly tool: string
  /** The raw text that the model wrote. */
  readonly arguments: string
}

/** The end of a turn. `suspended`: it waits for an approval; `stopped`: a limit or a user ended it. */
export type Status = "completed" | "suspended" | "stopped" | "failed"

export type TurnEvent =
  | ({ readonly _tag: "StepStarted"; readonly model: string } & InStep)
  /** More of the reply; the pieces of a step, in order, are its text. */
  | ({ readonly _tag: "Text"; readonly text: string } & InStep)
  | ({ readonly _tag: "Reasoning"; readonly text: string } & InStep)
  | ({ readonly _tag: "CallAsked" } & OfCall & InStep)
  | ({
      readonly _tag: "ReplyEnded"
      readonly completion: "complete" | "interrupted"
      readonly calls: number
      readonly usage: Usage.Usage
    } & InStep)
  | ({ readonly _tag: "CallStarted" } & OfCall)
  | ({ readonly _tag: "CallProgressed"; readonly message: string } & OfCall)
  | ({ readonly _tag: "CallEnded"; readonly outcome: Entry.Outcome } & OfCall)
  | ({ readonly _tag: "ApprovalAsked"; readonly request: Approval.Request } & InSession)
  | ({
      readonly _tag: "ApprovalClosed"
      readonly approvalId: string
      readonly toolCallId: string
      readonly decision: Entry.BodyOf<"ApprovalDecided">["decision"]["_tag"]
    } & InSession)
  /** `sessionId` is the child's. */
  | ({
      readonly _tag: "ChildStarted"
      readonly parentId: Session.SessionId
      readonly kind: Session.Kind
      readonly title: string
      readonly toolCallId: string
    } & InSession)
  | ({ readonly _tag: "ChildEnded"; readonly result: SessionResult.SessionResult } & InSession)
  /** A message from a session to users, apart from its reply. */
  | ({
      readonly _tag: "MessageSent"
      readonly messageId: string
      readonly title: string
      readonly text: string
    } & InSession)
  | ({ readonly _tag: "Notice"; readonly message: string } & InSession)
  /** The last event. */
  | ({ readonly _tag: "Ended" } & Ending & InSession)

export interface Ending {
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
  readonly places: Places
}

/** The `seq` of the first unreported entry, by session of the tree. */
export type Places = Readonly<Record<string, number>>

export type EventOf<Tag extends TurnEvent["_tag"]> = Extract<TurnEvent, { readonly _tag: Tag }>

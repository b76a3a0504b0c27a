/**
 * The events of a working session: every stored entry, once it is durable, and the deltas before an entry, such as
 * arriving text, a running handler or a shown approval. Deltas are never stored.
 */
import * as Schema from "effect/Schema"
import { DecisionTag, Request } from "./Approval.ts"
import { Entry } from "./Entry.ts"
import { ApprovalId, Kind, SessionId, ToolCallId } from "./Session.ts"
import { Tier } from "./Tier.ts"
import { TurnStatus } from "./TurnStatus.ts"
import { Usage } from "./Usage.ts"

const base = { sessionId: SessionId, turn: Schema.Natural, step: Schema.Natural }

export const Event = Schema.TaggedUnion({
  /** A Main was opened: the following events belong to its tree. */
  Attached: { sessionId: SessionId },
  /**
   * The journal contains the entry. A screen is a fold of these events and the deltas below; a later reader of the
   * journal folds the same entries.
   */
  Recorded: { sessionId: SessionId, entry: Entry },
  TurnStarted: { sessionId: SessionId, turn: Schema.Natural },
  /** A part of the next ModelReplied. */
  TextDelta: { ...base, text: Schema.String },
  ReasoningDelta: { ...base, text: Schema.String },
  /** The handler is about to run; a call that needs no intent has no entry before its end. */
  ToolStarted: { ...base, toolCallId: ToolCallId, tool: Schema.String, tier: Tier },
  /** `percent`: the completed share, from 0 to 100; absent: unknown. */
  ToolProgressed: {
    ...base,
    toolCallId: ToolCallId,
    tool: Schema.String,
    message: Schema.String,
    percent: Schema.optionalKey(Schema.Finite)
  },
  /** The request is shown to users. Every process that continues the session emits this event again. */
  ApprovalAsked: { ...base, request: Request },
  /** The request was decided, or its deadline has passed; the entry follows when the session acts on it. */
  ApprovalEnded: { ...base, approvalId: ApprovalId, decision: DecisionTag, principal: Schema.String },
  /**
   * A message of a session to users; `from` names the session, `title` is text of a model. Sent once per `messageId`,
   * or after a crash possibly twice.
   */
  MessageSent: {
    ...base,
    messageId: Schema.String,
    from: Schema.Struct({ kind: Kind, title: Schema.String }),
    text: Schema.String,
    /** The workspace file that is sent; `mediaType` is detected from its bytes. */
    media: Schema.optionalKey(Schema.Struct({ path: Schema.String, mediaType: Schema.String, bytes: Schema.Natural }))
  },
  Notice: { sessionId: SessionId, message: Schema.String },
  /**
   * A turn without a caller failed: `error` is the tag of the error. `retryInMillis`: the time until the turn is
   * retried; null: it is retried after new input.
   */
  TurnFailed: {
    sessionId: SessionId,
    error: Schema.String,
    message: Schema.String,
    retryInMillis: Schema.NullOr(Schema.Natural)
  },
  TurnEnded: { sessionId: SessionId, turn: Schema.Natural, status: TurnStatus, text: Schema.String, usage: Usage }
})
export type Event = typeof Event.Type

/** Formats progress in one line. */
export const progressLine = ({ message, percent }: { readonly message: string; readonly percent?: number }): string =>
  percent === undefined ? message : `${Math.floor(percent)} % ${message}`.trimEnd()

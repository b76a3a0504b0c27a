/**
 * What passes by while a session works, for those who watch: every stored entry, once it is durable, and what comes before an
 * entry does: words as they are said, a handler that runs, a question that is shown. The rest is never stored.
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
  /** A Main was opened: what follows is of it, or of a session below it. */
  Attached: { sessionId: SessionId },
  /** The journal holds the entry. A screen folds these alone, with the deltas below; so does whoever reads the journal later. */
  Recorded: { sessionId: SessionId, entry: Entry },
  TurnStarted: { sessionId: SessionId, turn: Schema.Natural },
  /** Of the ModelReplied that is to come. */
  TextDelta: { ...base, text: Schema.String },
  ReasoningDelta: { ...base, text: Schema.String },
  /** The handler is about to run; a call that needs no intent has no entry before its end. */
  ToolStarted: { ...base, toolCallId: ToolCallId, tool: Schema.String, tier: Tier },
  ToolProgressed: { ...base, toolCallId: ToolCallId, tool: Schema.String, message: Schema.String },
  /** The request is put to people, again by every process that goes on with it. */
  ApprovalAsked: { ...base, request: Request },
  /** Somebody has decided, or the deadline has; the entry follows when the session acts on it. */
  ApprovalEnded: { ...base, approvalId: ApprovalId, decision: DecisionTag, principal: Schema.String },
  /** What a session tells people; `from` says which, `title` is a model's words. Once per `messageId`, seldom again after a crash. */
  MessageSent: {
    ...base,
    messageId: Schema.String,
    from: Schema.Struct({ kind: Kind, title: Schema.String }),
    text: Schema.String
  },
  Notice: { sessionId: SessionId, message: Schema.String },
  /** A turn broke off, with nobody who waits for it: `error` is its tag. It is tried again after that time; null: when something arrives. */
  TurnFailed: {
    sessionId: SessionId,
    error: Schema.String,
    message: Schema.String,
    retryInMillis: Schema.NullOr(Schema.Natural)
  },
  TurnEnded: { sessionId: SessionId, turn: Schema.Natural, status: TurnStatus, text: Schema.String, usage: Usage }
})
export type Event = typeof Event.Type

/** What passes by while a session works: facts for whoever watches. Never stored; the journal holds what lasts. */
import * as Schema from "effect/Schema"
import { Request } from "./Approval.ts"
import { Outcome } from "./Entry.ts"
import { ApprovalId, Kind, Purpose, SessionId, SessionState, ToolCallId } from "./Session.ts"
import { SessionResult } from "./SessionResult.ts"
import { Tier } from "./Tier.ts"
import { Usage } from "./Usage.ts"

const base = { sessionId: SessionId, turn: Schema.Natural, step: Schema.Natural }

export const Event = Schema.TaggedUnion({
  /** A Main was opened: what follows is of it, or of a session below it. */
  Attached: { sessionId: SessionId },
  TurnStarted: { sessionId: SessionId, turn: Schema.Natural },
  StepStarted: { ...base, model: Schema.String },
  TextDelta: { ...base, text: Schema.String },
  ReasoningDelta: { ...base, text: Schema.String },
  StepEnded: { ...base, usage: Usage, completion: Schema.Literals(["complete", "interrupted"]) },
  ToolRequested: {
    ...base,
    toolCallId: ToolCallId,
    tool: Schema.String,
    /** As the model wrote it, not validated. */
    arguments: Schema.String
  },
  ToolStarted: { ...base, toolCallId: ToolCallId, tool: Schema.String, tier: Tier },
  ToolProgressed: { ...base, toolCallId: ToolCallId, tool: Schema.String, message: Schema.String },
  /** It waits for a person, and the session goes on without it. */
  ToolDeferred: { ...base, toolCallId: ToolCallId, tool: Schema.String, approvalId: ApprovalId },
  ToolEnded: {
    ...base,
    toolCallId: ToolCallId,
    tool: Schema.String,
    outcome: Outcome,
    elapsedMillis: Schema.Natural
  },
  ApprovalAsked: { ...base, request: Request },
  ApprovalEnded: { ...base, approvalId: ApprovalId, decision: Schema.String, principal: Schema.String },
  FileChanged: { ...base, path: Schema.String, operation: Schema.Literals(["written", "deleted", "moved"]) },
  StateChanged: { sessionId: SessionId, state: SessionState, reason: Schema.String },
  ChildSpawned: { ...base, childId: SessionId, kind: Kind, title: Schema.String, purpose: Schema.optionalKey(Purpose) },
  ChildEnded: { ...base, childId: SessionId, kind: Kind, result: SessionResult, purpose: Schema.optionalKey(Purpose) },
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
  TurnEnded: { sessionId: SessionId, turn: Schema.Natural, status: Schema.String, text: Schema.String, usage: Usage }
})
export type Event = typeof Event.Type

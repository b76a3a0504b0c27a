/** What anyone who is authorised may put before a tree's owner. The owner alone turns rows into entries. */
import * as Schema from "effect/Schema"
import { Decision } from "./Approval.ts"
import { Media } from "./Message.ts"
import { ApprovalId, SessionId } from "./Session.ts"

export const Command = Schema.TaggedUnion({
  /** Starts a turn, or is held until the running one ends. */
  SendMessage: { sessionId: SessionId, text: Schema.String, media: Schema.Array(Media) },
  /** Joins the running turn before its next step. */
  SteerSession: { sessionId: SessionId, text: Schema.String },
  CancelSession: { sessionId: SessionId, reason: Schema.String },
  DecideApproval: { approvalId: ApprovalId, decision: Decision }
})
export type Command = typeof Command.Type

/** Insert-if-absent by `dedupeKey`; a decision's key is its approval id, so that the first one wins. */
export const Submission = Schema.Struct({
  treeId: SessionId,
  dedupeKey: Schema.NonEmptyString,
  command: Command,
  principal: Schema.String
})
export type Submission = typeof Submission.Type

export const Row = Schema.Struct({ ...Submission.fields, seq: Schema.Natural, submittedAtMillis: Schema.Natural })
export type Row = typeof Row.Type

/** The dedupe key of a decision. */
export const decisionKey = (approvalId: ApprovalId): string => `approval:${approvalId}`

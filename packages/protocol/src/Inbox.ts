/** The rows that authorised senders submit to a tree's owner. Only the owner turns rows into entries. */
import * as Schema from "effect/Schema"
import { Decision, type Request } from "./Approval.ts"
import { Media } from "./Message.ts"
import { ApprovalId, Label, SessionId } from "./Session.ts"

export const Command = Schema.TaggedUnion({
  /** Starts a turn, or waits until the running turn ends. */
  SendMessage: { sessionId: SessionId, text: Schema.String, media: Schema.Array(Media) },
  /**
   * Joins the running turn before its next step. Absent `media`: it has none. `labels`: the labels of the sending
   * session.
   */
  SteerSession: {
    sessionId: SessionId,
    text: Schema.String,
    media: Schema.optionalKey(Schema.Array(Media)),
    labels: Schema.optionalKey(Schema.Array(Label))
  },
  CancelSession: { sessionId: SessionId, reason: Schema.String },
  /** Changes the mode of a Main and its descendants. It waits for the next message, whose entries record the mode. */
  ChangeMode: { sessionId: SessionId, mode: Schema.String },
  /** Revokes a rule that was given in the tree. */
  RevokeRule: { rule: Schema.String },
  DecideApproval: { approvalId: ApprovalId, decision: Decision }
})
export type Command = typeof Command.Type

/** Inserted unless its `dedupeKey` exists; a decision's key is its approval id, so that the first decision counts. */
export const Submission = Schema.Struct({
  treeId: SessionId,
  dedupeKey: Schema.NonEmptyString,
  command: Command,
  principal: Schema.String
})
export type Submission = typeof Submission.Type

export const Row = Schema.Struct({ ...Submission.fields, seq: Schema.Natural, submittedAtMillis: Schema.Natural })
export type Row = typeof Row.Type

/** A decision with its principal. */
export interface InboxAnswer {
  readonly decision: Decision
  readonly principal: string
}

/** A decision as it is submitted to the owner of the tree. */
export const toDecisionRow = (
  { approvalId, sessionPath }: Pick<Request, "approvalId" | "sessionPath">,
  { decision, principal }: InboxAnswer
): Submission => ({
  treeId: sessionPath[0],
  dedupeKey: decisionKey(approvalId),
  command: { _tag: "DecideApproval", approvalId, decision },
  principal
})

/** Returns an approval's decision from the rows of its tree that is not applied yet; null: there is none. */
export const decisionAmong = (rows: ReadonlyArray<Row>, approvalId: ApprovalId): InboxAnswer | null => {
  const row = rows.find(({ dedupeKey }) => dedupeKey === decisionKey(approvalId))
  return row?.command._tag === "DecideApproval" ? { decision: row.command.decision, principal: row.principal } : null
}

const decisionPrefix = "approval:"

/** The dedupe key of a decision. */
export const decisionKey = (approvalId: ApprovalId): string => `${decisionPrefix}${approvalId}`

/**
 * The key under which a submission is stored. A decision can only use its approval's key, and nothing else can use that
 * key.
 */
export const keyOf = ({ command, dedupeKey }: Submission): string => {
  if (command._tag === "DecideApproval") return decisionKey(command.approvalId)
  return dedupeKey.startsWith(decisionPrefix) ? `other:${dedupeKey}` : dedupeKey
}

/**
 * True if a decision at that moment is in time. Only decisions of users have a deadline; the expiry itself is recorded
 * after it.
 */
export const inTime = (
  { decision }: Extract<Command, { readonly _tag: "DecideApproval" }>,
  request: Pick<Request, "expiresAtMillis">,
  nowMillis: number
): boolean => decision._tag === "Expired" || decision._tag === "Withdrawn" || nowMillis < request.expiresAtMillis

/** The entry and the rows by which an approval request ends. */
import type { Call } from "@bough/dispatch"
import { type Approval, type Batch, type Entry, Inbox } from "@bough/protocol"
import type { Cause } from "./RequestEnds.ts"

/** The entry of a decision that a user, or the deadline, made. */
export const decisionEntry = (verdict: Call.CallApproval | Call.CallDenial): Entry.BodyOf<"ApprovalDecided"> => ({
  _tag: "ApprovalDecided",
  approvalId: verdict.request.approvalId,
  toolCallId: verdict.request.toolCallId,
  decision: verdict.decision,
  principal: verdict.principal
})

/** The entry of a request that ends unused. */
export const unusedEntry = (request: Approval.Request, { reason }: Cause): Entry.BodyOf<"ApprovalDecided"> => ({
  _tag: "ApprovalDecided",
  approvalId: request.approvalId,
  toolCallId: request.toolCallId,
  decision: { _tag: "Lapsed", reason },
  principal: "session"
})

/** The rows that close a request. */
export const closingRows = (verdict: Pick<Call.CallApproval, "request">): ReadonlyArray<Batch.Projection> => [
  { _tag: "ApprovalClosed", approvalId: verdict.request.approvalId },
  { _tag: "InboxDone", dedupeKey: Inbox.decisionKey(verdict.request.approvalId) }
]

/** Ends an approval request before its call has used it, for a cause of the table in `RequestEnds`. */
import { type Approval, Inbox } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type { Append, Journal } from "../journal/Journal.ts"
import type { LeaseLost, SessionStore, StoreFailed } from "../ports/SessionStore.ts"
import { closingRows, unusedEntry } from "./ClosedRequest.ts"
import * as PendingApprovals from "./PendingApprovals.ts"
import * as RequestEnds from "./RequestEnds.ts"

/** The requesting session. */
export interface Asker {
  readonly journal: Journal["Service"]
  readonly pending: PendingApprovals.PendingApprovals
  readonly store: SessionStore["Service"]
}

export interface WithdrawalReason {
  readonly cause: RequestEnds.Cause
  /**
   * The entries that end the call, in the same commit as the withdrawal: if a process stopped between two commits, the
   * call would request approval again.
   */
  readonly last: Append
}

/**
 * Withdraws a request under the dedupe key of its decision, so that only the first of the two counts, and ends its
 * call. If a decision was stored before, the cause determines whether that decision still counts.
 */
export const withdraw = Effect.fnUntraced(function* (
  { journal, pending, store }: Asker,
  request: Approval.Request,
  { cause, last }: WithdrawalReason
): Effect.fn.Return<void, LeaseLost | StoreFailed> {
  const withdrawn = { decision: { _tag: "Withdrawn", reason: cause.reason }, principal } as const
  yield* store.submit(Inbox.toDecisionRow(request, withdrawn)).pipe(
    // The deadline or another process closed it first.
    Effect.catchTag("ApprovalClosed", () => Effect.void),
    Effect.catchTag("SessionNotFound", Effect.die)
  )
  const stored = Inbox.decisionAmong(yield* store.inbox(journal.treeId), request.approvalId)
  const isOurs = stored === null || stored.decision._tag === "Withdrawn"
  if (!isOurs && RequestEnds.precedenceOf(cause) === "kept") return
  const { reason } = cause
  const entry = isOurs
    ? {
        ...unusedEntry(request, cause),
        ...(stored === null ? {} : { decision: stored.decision, principal: stored.principal })
      }
    : unusedEntry(request, { ...cause, reason: `${decidedBy(stored)}, but ${reason} before the call could use it` })
  yield* journal.append({ ...last, bodies: [entry, ...last.bodies], projections: closingRows({ request }) })
  yield* PendingApprovals.end(pending, request)
})

/** Closes a request whose facts have changed; its call requests approval again. */
export const closeChanged = (
  { journal, pending }: Pick<Asker, "pending"> & { readonly journal: Pick<Journal["Service"], "append"> },
  request: Approval.Request,
  cause: RequestEnds.Cause
): Effect.Effect<void, LeaseLost | StoreFailed> =>
  Effect.andThen(
    journal.append({ bodies: [unusedEntry(request, cause)], projections: closingRows({ request }) }),
    PendingApprovals.end(pending, request)
  )

const principal = "session"

const words = { Approved: "approved", Denied: "denied", Expired: "expired", Withdrawn: "withdrawn" } as const

const decidedBy = (answer: Inbox.InboxAnswer): string => `${words[answer.decision._tag]} by ${answer.principal}`

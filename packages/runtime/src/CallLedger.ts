/** The dispatcher's Ledger over the journal: intents, results, and approvals consumed by starting. */
import type { Call } from "@bough/dispatch"
import { Ledger } from "@bough/dispatch"
import { type Approval, type Batch, type Entry, Inbox, type Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type { Journal } from "./Journal.ts"
import type { Tree } from "./Tree.ts"
import * as SessionState from "./SessionState.ts"

/** A Ledger whose every record is one commit of this session. */
export const make = (
  journal: Journal["Service"],
  { blobs, rules }: Pick<Tree, "blobs" | "rules">
): Ledger.Ledger["Service"] => ({
  started: (call) =>
    notRecorded(
      Effect.andThen(
        call.approval === null ? Effect.void : rules.give(call.approval),
        journal.append({
          bodies: [...(call.approval === null ? [] : [decided(call.approval)]), started(call)],
          projections: call.approval === null ? [] : closed(call.approval),
          durability: "Full"
        })
      )
    ),
  ended: (call, ended, denied) =>
    notRecorded(
      journal.append((state) => {
        const closing =
          denied === null ? unused(state, call.toolCallId) : { entry: decided(denied), request: denied.request }
        return {
          bodies: [...(closing === null ? [] : [closing.entry]), callEnded(call, ended)],
          projections: closing === null ? [] : closed(closing),
          labels: call.labels,
          durability: call.safe && closing === null ? "Relaxed" : "Full"
        }
      })
    ),
  spill: (bytes) => notRecorded(blobs.put(bytes))
})

/** The entry of a decision that a person, or the deadline, made. */
export const decided = (verdict: Call.Approved | Call.Denied): Entry.BodyOf<"ApprovalDecided"> => ({
  _tag: "ApprovalDecided",
  approvalId: verdict.request.approvalId,
  toolCallId: verdict.request.toolCallId,
  decision: verdict.decision,
  principal: verdict.principal
})

const callEnded = (
  call: { readonly toolCallId: Session.ToolCallId; readonly name: string },
  { outcome, receipt }: Call.Ended
): Entry.Body => ({ _tag: "CallEnded", toolCallId: call.toolCallId, tool: call.name, outcome, receipt })

/** A request that is still open when its call ends has come to nothing. */
const unused = (state: SessionState.State, toolCallId: Session.ToolCallId) => {
  const open = state.openCalls.get(toolCallId)
  const request = open === undefined ? null : SessionState.pendingRequest(open)
  return request === null ? null : { request, entry: lapsed(request, "the call ended without it") }
}

/** The entry of a request that ends unused. */
export const lapsed = (request: Approval.Request, reason: string): Entry.BodyOf<"ApprovalDecided"> => ({
  _tag: "ApprovalDecided",
  approvalId: request.approvalId,
  toolCallId: request.toolCallId,
  decision: { _tag: "Lapsed", reason },
  principal: "session"
})

/** The rows that close a request. */
export const closed = (verdict: Pick<Call.Approved, "request">): ReadonlyArray<Batch.Projection> => [
  { _tag: "ApprovalClosed", approvalId: verdict.request.approvalId },
  { _tag: "InboxDone", dedupeKey: Inbox.decisionKey(verdict.request.approvalId) }
]

const started = (call: Call.Prepared): Entry.Body => ({
  _tag: "CallStarted",
  toolCallId: call.toolCallId,
  callKey: call.callKey,
  tool: call.tool.name,
  version: call.tool.version,
  tier: call.tier,
  argumentsDigest: call.argumentsDigest,
  attempt: call.attempt,
  preconditions: call.preconditions,
  approvalId: call.approval?.request.approvalId ?? null
})

/** The dispatcher knows one way for the record to fail; the adapter's own error travels inside. */
export const notRecorded = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, Ledger.NotRecorded> =>
  Effect.mapError(effect, (cause) => new Ledger.NotRecorded({ cause }))

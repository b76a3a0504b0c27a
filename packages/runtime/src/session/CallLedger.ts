/** The dispatcher's Ledger over the journal: intents, results, and the approvals that the start of a call consumes. */
import type { Call } from "@bough/dispatch"
import { Ledger } from "@bough/dispatch"
import { type Entry, OpenCalls, Receipt, type Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { closingRows, decisionEntry, unusedEntry } from "../approval/ClosedRequest.ts"
import * as PendingApprovals from "../approval/PendingApprovals.ts"
import * as RequestEnds from "../approval/RequestEnds.ts"
import type { SessionRules } from "../approval/SessionRules.ts"
import type { Journal } from "../journal/Journal.ts"
import type * as SessionState from "../journal/SessionState.ts"
import { notRecorded } from "../notRecorded.ts"
import type { BlobStore } from "../ports/BlobStore.ts"
import { EntryRefused, type Lease, type SessionStore } from "../ports/SessionStore.ts"
import * as CommandEnds from "./CommandEnds.ts"
import * as WorkspaceCommit from "./WorkspaceCommit.ts"

export interface CallLedgerParts {
  readonly journal: Journal["Service"]
  readonly store: SessionStore["Service"]
  readonly lease: Lease
  readonly blobs: BlobStore["Service"]
  readonly pending: PendingApprovals.PendingApprovals
  readonly rules: SessionRules
  /** Hosts that users approved for the tree. */
  readonly hosts: Set<string>
  readonly commit: WorkspaceCommit.CommitState
  readonly commands: CommandEnds.Commands
  /** Returns the version of a tool that is in an experiment; null for any other tool. */
  readonly experimentVersion: (name: string) => number | null
}

/** Makes a Ledger that stores every record as one commit of this session. */
export const make = ({
  blobs,
  commands,
  commit,
  experimentVersion,
  hosts,
  journal,
  lease,
  pending,
  rules,
  store
}: CallLedgerParts): Ledger.Ledger["Service"] => ({
  started: (call) => {
    const { approval } = call
    if (approval === null) return notRecorded(journal.append({ bodies: [callStarted(call)] }))
    const append = journal.append({
      bodies: [decisionEntry(approval), callStarted(call)],
      projections: closingRows(approval)
    })
    const recorded = Effect.map(append, () => {
      const opened = approval.request.opensHost
      if (opened !== undefined) hosts.add(opened)
    })
    return notRecorded(Effect.andThen(rules.give(approval), recorded))
  },
  secure: notRecorded(store.secure(lease)),
  ended: (call, ended, denied) =>
    notRecorded(
      Effect.suspend(() => {
        const { state } = journal
        const closing =
          denied === null
            ? closeUnused(state, call.toolCallId)
            : { entry: decisionEntry(denied), request: denied.request }
        const end = (outcome: Entry.Outcome, receipt: Receipt.Receipt | null) =>
          journal.append({
            bodies: [
              ...(closing === null ? [] : [closing.entry]),
              callEnded(call, { outcome, receipt, version: receipt === null ? experimentVersion(call.name) : null })
            ],
            projections: closing === null ? [] : closingRows(closing),
            labels: call.labels,
            replay: call.safe ? "Safe" : "Unsafe"
          })
        const recorded = end(ended.outcome, receiptOf(state, { call, ended, commit })).pipe(
          // The call must end in any case, because an open call would be resumed and refused again and again.
          Effect.catchDefect((defect) =>
            defect instanceof EntryRefused ? end(unreadable(defect), null) : Effect.die(defect)
          )
        )
        // A command that the call started may have ended before the call did.
        const all = Effect.andThen(recorded, CommandEnds.record(journal, commands))
        return closing === null ? all : Effect.andThen(all, PendingApprovals.end(pending, closing.request))
      })
    ),
  spill: (bytes) => notRecorded(blobs.put(bytes))
})

interface End {
  readonly outcome: Entry.Outcome
  readonly receipt: Receipt.Receipt | null
  /** Null: the receipt names the version, or the tool has only one. */
  readonly version: number | null
}

const callEnded = ({ name, toolCallId }: Ledger.EndedCall, { outcome, receipt, version }: End): Entry.Body => ({
  _tag: "CallEnded",
  toolCallId,
  tool: name,
  outcome,
  receipt,
  ...(version === null ? {} : { version })
})

const unreadable = ({ fault }: EntryRefused): Entry.Outcome => ({
  _tag: "Failed",
  error: {
    _tag: "ExecutionError",
    message: `the result of the call could not be recorded: ${fault}`,
    hint: "the call ran, and what it did is done"
  },
  schema: null
})

interface EndOfCall {
  readonly call: Ledger.EndedCall
  readonly ended: Call.CallEnd
  readonly commit: WorkspaceCommit.CommitState
}

/** Makes a receipt with the workspace's commit, and with the arguments if no reply contains them. */
const receiptOf = (
  state: SessionState.SessionState,
  { call, commit, ended: { receipt } }: EndOfCall
): Receipt.Receipt | null => {
  if (receipt === null) return null
  const at = commit.known
  WorkspaceCommit.forgetAfterCall(commit, receipt)
  const callArguments = argumentsOf(state, call)
  if (callArguments === null && at === null) return receipt
  return {
    ...receipt,
    ...(callArguments === null ? {} : { arguments: callArguments }),
    ...(at === null ? {} : { commit: at })
  }
}

/** Returns the arguments for the receipt; null: a reply already contains them. */
const argumentsOf = (
  state: SessionState.SessionState,
  { canonicalArguments, toolCallId }: Ledger.EndedCall
): string | null => {
  if (canonicalArguments === null) return null
  const open = state.openCalls.get(toolCallId)
  if (open === undefined || open.askedFor === null) return canonicalArguments
  // Skips the conversion if the text is canonical already.
  const { arguments: written } = open.call
  const isSpelled = written === canonicalArguments || Receipt.canonicalArguments(written) === canonicalArguments
  return isSpelled ? null : canonicalArguments
}

/** Closes a request that is still open when its call ends. */
const closeUnused = (state: SessionState.SessionState, toolCallId: Session.ToolCallId) => {
  const open = state.openCalls.get(toolCallId)
  const request = open === undefined ? null : OpenCalls.pendingRequest(open)
  return request === null ? null : { request, entry: unusedEntry(request, RequestEnds.causeOf("callEnded")) }
}

const callStarted = (call: Call.PreparedCall): Entry.Body => ({
  _tag: "CallStarted",
  toolCallId: call.toolCallId,
  callKey: call.callKey,
  tool: call.tool.name,
  version: call.tool.version,
  tier: call.tier,
  argumentsDigest: call.argumentsDigest,
  attempt: call.attempt,
  preconditions: call.preconditions,
  approvalId: call.approval?.request.approvalId ?? null,
  ...(call.stateBefore === null ? {} : { workspace: call.stateBefore })
})

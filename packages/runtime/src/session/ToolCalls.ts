/**
 * The calls of one reply: reads run in parallel, the others in the order of the reply. A call whose approval takes long
 * is deferred, and the later calls that run in order are skipped.
 */
import { type Call, type DispatchContext, Dispatcher, type Gate, type Ledger, UnknownOutcome } from "@bough/dispatch"
import { type Entry, type Message, OpenCalls, type Receipt, Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as RequestEnds from "../approval/RequestEnds.ts"
import { withdraw } from "../approval/Withdrawal.ts"
import * as TimeBudget from "../budget/TimeBudget.ts"
import type { Append } from "../journal/Journal.ts"
import { LeaseLost, StoreFailed } from "../ports/SessionStore.ts"
import { callerOf, type ToolRunner } from "./ToolRunner.ts"
import * as WorkspaceCommit from "./WorkspaceCommit.ts"

/** The result of one call of a step. `outcome` null: the call waits for an approval. */
export interface CallResult {
  readonly call: Message.ToolCall
  readonly outcome: Entry.Outcome | null
}

/** Requires the session's own ports, which `Session` provides once for all calls of a turn. */
export type CallEffect<A> = Effect.Effect<A, LeaseLost | StoreFailed, Gate.Gate | Ledger.Ledger>

/**
 * Runs the open calls of the journal, oldest first, and records how each ended. Returns [] if the time budget ran out.
 */
export const run = (
  runner: ToolRunner,
  all: ReadonlyArray<OpenCalls.OpenCall>
): CallEffect<ReadonlyArray<CallResult>> => {
  const { state } = runner.journal
  // Links are run by the call of their chain.
  const open = all.filter((call) => !OpenCalls.isLinkOfOpen(state, call))
  const caller = callerOf(runner)
  const one = (call: OpenCalls.OpenCall) => runCall(runner, caller, call)
  const everyCall = (): CallEffect<ReadonlyArray<CallResult>> => {
    if (open.length === 1) return Effect.map(one(open[0]), (settled) => [settled])
    const reads = open.filter((call) => isRead(runner, call))
    const ordered = open.filter((call) => !isRead(runner, call))
    return Effect.map(
      Effect.all([Effect.forEach(reads, one, { concurrency: "unbounded" }), inOrder(runner, ordered, one)], {
        concurrency: 2
      }),
      ([a, b]) => [...a, ...b]
    )
  }
  const work = Effect.suspend(() => Effect.flatMapEager(refreshCommit(runner), everyCall))
  const recorded = Effect.onExitPrimitive(work, (exit) =>
    Exit.hasInterrupts(exit) ? endInterrupted(runner, open) : undefined
  )
  return TimeBudget.runWithin(runner.budget, recorded, [])
}

/** Reads the commit that the receipts of the following calls will name. */
export const refreshCommit = ({ commit, journal }: ToolRunner): Effect.Effect<void> =>
  WorkspaceCommit.refresh(commit, journal.state.turn)

/** True for reads, and for unknown tools, whose error is returned at once without an effect. */
const isRead = ({ calls: { registry } }: ToolRunner, { call }: OpenCalls.OpenCall): boolean =>
  (registry.get(call.name)?.tier ?? "ReadOnly") === "ReadOnly"

const inOrder = Effect.fnUntraced(function* (
  runner: ToolRunner,
  calls: ReadonlyArray<OpenCalls.OpenCall>,
  one: (call: OpenCalls.OpenCall) => CallEffect<CallResult>
): Effect.fn.Return<ReadonlyArray<CallResult>, LeaseLost | StoreFailed, Gate.Gate | Ledger.Ledger> {
  const settled: Array<CallResult> = []
  let parked = false
  for (const open of calls) {
    // A call that an earlier step deferred does not delay later calls.
    const isNew = !open.deferred
    if (parked && OpenCalls.newestIntent(open) === null && isNew) {
      settled.push({ call: open.call, outcome: yield* notRun(runner, open, "deferred: not run, ask again") })
      continue
    }
    const result = yield* one(open)
    settled.push(result)
    parked ||= isNew && result.outcome === null
  }
  return settled
})

const runCall = (
  runner: ToolRunner,
  caller: DispatchContext.DispatchContext,
  open: OpenCalls.OpenCall
): CallEffect<CallResult> =>
  open.askedFor === null || Session.linkOf(open.call.toolCallId) !== null
    ? callerGone(runner, open)
    : Effect.matchEffect(Dispatcher.dispatch(requestOf(runner, open), caller), {
        onSuccess: (dispatched) => deferOrEnd(runner, open, dispatched),
        onFailure: causeOf
      })

/** Ends a user-initiated call or a link whose caller no longer waits. */
export const callerGone = (
  runner: ToolRunner,
  open: OpenCalls.OpenCall,
  reason?: string
): Effect.Effect<CallResult, LeaseLost | StoreFailed> => {
  const cause = RequestEnds.causeOf("callerLeft")
  const cancelReason = reason ?? cause.reason
  return Effect.as(abandon(runner, open, { cause, reason: cancelReason }), {
    call: open.call,
    outcome: withoutResult(runner, open, cancelReason)
  })
}

/** Unwraps the journal's own error from the dispatcher's. */
export const causeOf = ({ cause }: Ledger.NotRecorded): Effect.Effect<never, LeaseLost | StoreFailed> =>
  cause instanceof LeaseLost || cause instanceof StoreFailed ? Effect.fail(cause) : Effect.die(cause)

const deferOrEnd = (
  runner: ToolRunner,
  open: OpenCalls.OpenCall,
  dispatched: Call.DispatchResult
): Effect.Effect<CallResult, LeaseLost | StoreFailed> =>
  dispatched._tag === "Ended"
    ? Effect.succeed({ call: open.call, outcome: dispatched.outcome })
    : Effect.as(defer(runner, open, dispatched), { call: open.call, outcome: null })

const defer = (runner: ToolRunner, { call, deferred }: OpenCalls.OpenCall, { request }: Call.PendingCall) => {
  if (deferred) return Effect.void
  return runner.journal.append({
    bodies: [{ _tag: "CallDeferred", toolCallId: call.toolCallId, approvalId: request.approvalId }]
  })
}

const requestOf = (runner: ToolRunner, open: OpenCalls.OpenCall): Call.RequestedCall => {
  const { arguments: written, name, redacted, toolCallId } = open.call
  const requested = { toolCallId, name, arguments: written, labels: open.labels, prior: priorOf(runner, open) }
  return redacted === true ? { ...requested, redacted } : requested
}

/**
 * Describes earlier attempts: a started call, or one of an earlier process that needs no intent and may have run. The
 * dispatcher decides by the replay class whether the call may run again.
 */
export const priorOf = (
  { calls: { registry }, recovered }: ToolRunner,
  open: OpenCalls.OpenCall
): Call.Prior | null => {
  const started = OpenCalls.newestIntent(open)
  if (started !== null) {
    const { argumentsDigest, attempt: attempts, preconditions, tier, version } = started
    return { attempts, preconditions, version, tier, argumentsDigest, authority: authorityOf(open) }
  }
  const tool = registry.get(open.call.name)
  return tool?.replay === "Safe" && recovered.has(open.call.toolCallId) && !OpenCalls.wasAsked(open)
    ? { attempts: 1, preconditions: [], version: tool.version, tier: tool.tier, argumentsDigest: "", authority: null }
    : null
}

/** Returns the authority of the first attempt; null: no approval was needed. */
const authorityOf = (open: OpenCalls.OpenCall): Receipt.Authority | null => {
  const approved = OpenCalls.approvalOf(open)
  return approved === null ? null : { _tag: "User", approvalId: approved.approvalId, principal: approved.principal }
}

const notRun = (runner: ToolRunner, { call }: OpenCalls.OpenCall, reason: string) => {
  const outcome: Entry.Outcome = { _tag: "NotRun", reason }
  return Effect.as(end(runner, call, outcome), outcome)
}

/** Ends calls that will not run. */
export const skip = (runner: ToolRunner, open: ReadonlyArray<OpenCalls.OpenCall>, reason: string) =>
  Effect.forEach(open, (call) => notRun(runner, call, reason), { discard: true })

const end = (runner: ToolRunner, call: Message.ToolCall, outcome: Entry.Outcome) =>
  runner.journal.append(endOf(runner, call, outcome))

const endOf = ({ calls: { registry } }: ToolRunner, call: Message.ToolCall, outcome: Entry.Outcome): Append => ({
  bodies: [{ _tag: "CallEnded", toolCallId: call.toolCallId, tool: call.name, outcome, receipt: null }],
  replay: registry.get(call.name)?.replay ?? "Safe"
})

/**
 * Ends the calls that an interruption left without a result. Approval requests stay open: see `RequestEnds`. If a later
 * process is to continue the session, no call is ended here, because that process handles the open calls.
 */
const endInterrupted = (runner: ToolRunner, open: ReadonlyArray<OpenCalls.OpenCall>) => {
  const { budget, journal, leavesOpen } = runner
  const timeSpent = TimeBudget.reason(budget)
  // If a child must end, its end withdraws its requests.
  if (timeSpent === null && leavesOpen()) return Effect.void
  const reason = noResult(timeSpent ?? "interrupted")
  const openCalls = open.filter(({ call: { toolCallId } }) => {
    const now = journal.state.openCalls.get(toolCallId)
    return now !== undefined && OpenCalls.pendingRequest(now) === null
  })
  return Effect.ignore(Effect.forEach(openCalls, (call) => endWithoutResult(runner, call, reason), { discard: true }))
}

const noResult = (reason: string): string => `${reason}: there is no result`

/** Ends the open calls when the time is over; calls with an approval request stay open. */
export const cancelCallsWithoutRequest = (runner: ToolRunner, reason: string) =>
  Effect.forEach(
    Array.from(runner.journal.state.openCalls.values()).filter((open) => OpenCalls.pendingRequest(open) === null),
    (open) => endWithoutResult(runner, open, reason),
    { discard: true }
  )

interface AbortReason {
  readonly cause: RequestEnds.Cause
  /** The reason why a call that has not started will not run. */
  readonly reason: string
}

/**
 * Ends the open calls of a session that continues without them. A call whose request was decided first may stay open.
 */
export const cancel = (runner: ToolRunner, abandoned: AbortReason) =>
  Effect.forEach(Array.from(runner.journal.state.openCalls.values()), (open) => abandon(runner, open, abandoned), {
    discard: true
  })

const abandon = Effect.fnUntraced(function* (
  runner: ToolRunner,
  open: OpenCalls.OpenCall,
  { cause, reason }: AbortReason
): Effect.fn.Return<void, LeaseLost | StoreFailed> {
  const request = OpenCalls.pendingRequest(open)
  const last = endOf(runner, open.call, withoutResult(runner, open, reason))
  yield* request === null ? runner.journal.append(last) : withdraw(runner, request, { cause, last })
})

const endWithoutResult = (runner: ToolRunner, open: OpenCalls.OpenCall, reason: string) =>
  end(runner, open.call, withoutResult(runner, open, reason))

/** Returns the outcome of a stopped call: a Safe call has failed; the effects of any other started call are unknown. */
const withoutResult = (
  { calls: { registry } }: ToolRunner,
  open: OpenCalls.OpenCall,
  reason: string
): Entry.Outcome => {
  const { call } = open
  if (OpenCalls.newestIntent(open) === null) return { _tag: "NotRun", reason }
  if (registry.get(call.name)?.replay !== "Safe")
    return UnknownOutcome.stoppedOutcome(`${call.name} was stopped before it finished`)
  const message = `${call.name} was stopped before it finished`
  return { _tag: "Failed", error: { _tag: "ExecutionError", message }, schema: null }
}

/**
 * The dispatcher's Gate over journal, inbox and channel: a request is durable before it is shown, and the first stored
 * decision counts, from any process.
 */
import { type Call, Gate } from "@bough/dispatch"
import { type Approval, Canonical, type Event, Inbox, OpenCalls, type Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as ActiveTime from "../budget/ActiveTime.ts"
import { newApprovalId } from "../Identity.ts"
import type { Journal } from "../journal/Journal.ts"
import { notRecorded } from "../notRecorded.ts"
import type { Channel } from "../ports/Channel.ts"
import { inboxChanges, type LeaseLost, type SessionStore, type StoreFailed } from "../ports/SessionStore.ts"
import { closingRows, decisionEntry } from "./ClosedRequest.ts"
import * as PendingApprovals from "./PendingApprovals.ts"
import * as RequestEnds from "./RequestEnds.ts"
import type { SessionRules } from "./SessionRules.ts"
import * as TurnAsks from "./TurnAsks.ts"
import * as Withdrawal from "./Withdrawal.ts"

export interface ApprovalGateOptions {
  readonly journal: Journal["Service"]
  readonly store: SessionStore["Service"]
  readonly pending: PendingApprovals.PendingApprovals
  readonly channel: Channel["Service"]
  readonly rules: SessionRules
  /** The channel of the Main; null: no user can be asked. */
  readonly channelName: () => string | null
  /** The sessions from the Main, which owns the channel, down to the requesting session. */
  readonly path: Approval.Request["sessionPath"]
  readonly activeTime: ActiveTime.ActiveTime
  readonly limits: {
    readonly approvalDeadlineMillis: number
    readonly approvalGraceMillis: number
    readonly maxAsks: number
  }
  readonly asks: TurnAsks.TurnAsks
}

/** A Gate for one session: its requests go to the channel of its tree's Main. */
export const make = (options: ApprovalGateOptions): Gate.Gate["Service"] => ({
  ask: (call, preview, reasons) => notRecorded(ask(options, call, { preview, ...reasons })),
  askHost: (call, asked) => notRecorded(askHost(options, call, asked)),
  lapse: ({ request }, changedFact) =>
    notRecorded(Withdrawal.closeChanged(options, request, RequestEnds.factChanged(changedFact)))
})

interface ShownRequest extends Gate.Why {
  readonly preview: Approval.Preview
  /** The host that the command of a running call waits for. */
  readonly reaches?: string
}

const ask = Effect.fnUntraced(function* (options: ApprovalGateOptions, call: Call.AssessedCall, shown: ShownRequest) {
  const unasked = withoutApprover(options, call)
  if (unasked !== null) return unasked
  const { activeTime, pending, store } = options
  const request = yield* requestFor(options, call, shown)
  const stored = yield* storedDecision(options, request)
  if (!PendingApprovals.isAsked(pending, request)) {
    if (stored !== null) return stored
    if ((yield* store.now) >= request.expiresAtMillis) return yield* decide(options, request, expired)
    yield* begin(options, request)
  }
  // Every watcher sees stored requests, including the user to whom this request is shown.
  const timeout = stored === null ? approvalTimeoutMillis(options, call.toolCallId) : Infinity
  const verdict = yield* ActiveTime.whileWaiting(activeTime, PendingApprovals.waitFor(pending, request, timeout))
  return verdict ?? ({ _tag: "Parked", request } as const)
})

/**
 * Asks about a host for a running call: the request is shown to the attached user, and ends with the call. The decision
 * is recorded when it arrives, because no call consumes it at its start.
 */
const askHost = Effect.fnUntraced(function* (
  options: ApprovalGateOptions,
  call: Call.AssessedCall,
  { url, ...shown }: Gate.HostQuestion
): Effect.fn.Return<Call.Verdict, LeaseLost | StoreFailed> {
  const { activeTime, channel, journal, pending, rules } = options
  if (channel.ask === null) return { _tag: "Unasked", reason: "no approver is available while the command runs" }
  const unasked = withoutApprover(options, call)
  if (unasked !== null) return unasked
  const request = yield* requestFor(options, call, { ...shown, reaches: url })
  yield* begin(options, request)
  const verdict = yield* ActiveTime.whileWaiting(activeTime, PendingApprovals.waitFor(pending, request, Infinity))
  if (verdict === null) return { _tag: "Parked", request }
  if (verdict._tag === "Approved") yield* rules.give(verdict)
  yield* journal.append({ bodies: [decisionEntry(verdict)], projections: closingRows(verdict) })
  return verdict
})

/** Shows the request if the channel can show it, and waits for a decision, made here or in another process. */
const begin = Effect.fnUntraced(function* (options: ApprovalGateOptions, request: Approval.Request) {
  const { channel, journal, pending } = options
  const { step, turn } = journal.state
  const at = { sessionId: journal.sessionId, turn, step }
  const isShown = channel.ask !== null || channel.isDetached === true
  const publish = (event: Event.Event) => (isShown ? channel.publish(event) : Effect.void)
  yield* publish({ _tag: "ApprovalAsked", ...at, request })
  const decided = Effect.tap(decision(options, request), ({ decision: { _tag }, principal }) =>
    publish({ _tag: "ApprovalEnded", ...at, approvalId: request.approvalId, decision: _tag, principal })
  )
  yield* PendingApprovals.begin(pending, request, decided)
})

/**
 * How long a step waits for a decision. A user who called the tool by hand waits without a limit, since nothing else is
 * running.
 */
const approvalTimeoutMillis = (
  { channel, journal, limits }: ApprovalGateOptions,
  toolCallId: Session.ToolCallId
): number => {
  const open = journal.state.openCalls.get(toolCallId)
  if (channel.ask === null || open?.deferred === true) return 0
  return open?.askedFor === null ? Infinity : limits.approvalGraceMillis
}

/**
 * Returns the reason why a call may not request an approval; null if it may. An open request is shown again in any
 * case.
 */
const withoutApprover = (options: ApprovalGateOptions, call: Call.AssessedCall): Call.NoApprover | null => {
  const { asks, channelName, journal, limits } = options
  const open = journal.state.openCalls.get(call.toolCallId)
  if (open !== undefined && OpenCalls.pendingRequest(open) !== null) return null
  if (channelName() === null) {
    return { _tag: "Unasked", reason: "it needs a person, and no session above has a channel to ask in" }
  }
  if (journal.state.asks < limits.maxAsks) return null
  TurnAsks.refuse(asks)
  return { _tag: "Unasked", reason: `it needs a person, who was asked ${limits.maxAsks} times in this turn` }
}

const expired = { decision: { _tag: "Expired" }, principal: "deadline" } as const

/**
 * Returns the open request of this call if its facts are unchanged, else a new one that is stored before it is shown.
 */
const requestFor = Effect.fnUntraced(function* (
  options: ApprovalGateOptions,
  call: Call.AssessedCall,
  { reaches, ...shown }: ShownRequest
) {
  const { journal } = options
  const open = journal.state.openCalls.get(call.toolCallId)
  const pending = open === undefined ? null : OpenCalls.pendingRequest(open)
  if (pending !== null) {
    if (reaches === undefined && isSameCall(pending, call, shown.preview)) return pending
    yield* Withdrawal.closeChanged(options, pending, RequestEnds.causeOf("changed"))
  }
  const askedAtMillis = yield* options.store.now
  const request = Gate.requestOf(call, {
    approvalId: yield* newApprovalId,
    sessionPath: options.path,
    preview: shown.preview,
    reason: shown.reason,
    ...(shown.everyTime ? { everyTime: true } : {}),
    ...(reaches === undefined ? {} : { reaches }),
    ...(shown.rule === undefined ? {} : { rule: shown.rule }),
    askedAtMillis,
    expiresAtMillis: askedAtMillis + options.limits.approvalDeadlineMillis
  })
  yield* journal.append({
    bodies: [{ _tag: "ApprovalAsked", request }],
    projections: [{ _tag: "ApprovalPending", request }]
  })
  return request
})

const isSameCall = (pending: Approval.Request, call: Call.AssessedCall, preview: Approval.Preview): boolean =>
  pending.tool === call.tool.name &&
  pending.version === call.tool.version &&
  pending.tier === call.tier &&
  pending.argumentsDigest === call.argumentsDigest &&
  Canonical.stringify(pending.preview.preconditions) === Canonical.stringify(preview.preconditions)

/**
 * Returns the first of three events: the channel's user decides, a decision arrives in the inbox, or the deadline
 * passes.
 */
const decision = Effect.fnUntraced(function* (options: ApprovalGateOptions, request: Approval.Request) {
  const { channel, journal, store } = options
  const now = yield* store.now
  const answered =
    channel.ask === null
      ? Effect.never
      : Effect.flatMap(channel.ask(request), (answer) => decide(options, request, answer))
  const found = inboxChanges(store, journal.treeId).pipe(
    Stream.mapEffect(() => storedDecision(options, request)),
    Stream.filter((verdict) => verdict !== null),
    Stream.runHead,
    Effect.flatMap((head) => (head._tag === "Some" ? Effect.succeed(head.value) : Effect.never))
  )
  return yield* Effect.timeoutOrElse(Effect.raceFirst(answered, found), {
    duration: request.expiresAtMillis - now,
    orElse: () => decide(options, request, expired)
  })
})

/** Stores a decision unless one is stored already; returns the stored one. */
const decide = Effect.fnUntraced(function* (
  options: ApprovalGateOptions,
  request: Approval.Request,
  answer: Inbox.InboxAnswer
) {
  yield* (
    options.store
      .submit(Inbox.toDecisionRow(request, answer))
      // Another decision or the deadline came first: the stored decision is read below.
      .pipe(
        Effect.catchTag("ApprovalClosed", () => Effect.void),
        Effect.catchTag("SessionNotFound", Effect.die)
      )
  )
  const stored = yield* storedDecision(options, request)
  return stored ?? verdictOf(request, expired)
})

const storedDecision = (
  { journal, store }: ApprovalGateOptions,
  request: Approval.Request
): Effect.Effect<PendingApprovals.Verdict | null, StoreFailed> =>
  Effect.map(store.inbox(journal.treeId), (rows) => {
    const answer = Inbox.decisionAmong(rows, request.approvalId)
    return answer === null ? null : verdictOf(request, answer)
  })

const verdictOf = (request: Approval.Request, { decision, principal }: Inbox.InboxAnswer): PendingApprovals.Verdict =>
  decision._tag === "Approved"
    ? { _tag: "Approved", request, decision, principal }
    : { _tag: "Denied", request, decision, principal }

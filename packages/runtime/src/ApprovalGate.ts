/**
 * The dispatcher's Gate over journal, inbox and channel: what is asked is durable before it is shown, and the decision
 * that counts is the first one stored, whoever makes it and in whichever process.
 */
import type { Call, Gate } from "@bough/dispatch"
import { type Approval, Canonical, Inbox } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as ActiveTime from "./ActiveTime.ts"
import { closed, lapsed, notRecorded } from "./CallLedger.ts"
import type { Channel } from "./Channel.ts"
import { newApprovalId } from "./Identity.ts"
import type { Journal } from "./Journal.ts"
import * as SessionState from "./SessionState.ts"
import { inboxChanges, type SessionStore, type StoreFailed } from "./SessionStore.ts"

export interface Options {
  readonly journal: Journal["Service"]
  readonly store: SessionStore["Service"]
  readonly channel: Channel["Service"]
  /** From the Main, whose channel it is, down to the session that asks. */
  readonly path: Approval.Request["sessionPath"]
  readonly activeTime: ActiveTime.ActiveTime
  readonly deadlineMillis: number
  /** Whether the Main of the tree has anybody to ask. */
  readonly hasChannel: () => boolean
  /** Requests in one turn. */
  readonly maxAsks: number
  readonly asks: { refused: boolean }
}

/** A Gate for one session: what it asks climbs to the session of its tree that owns a channel. */
export const make = (options: Options): Gate.Gate["Service"] => ({
  ask: (call, preview, why) => notRecorded(ask(options, call, { preview, ...why })),
  lapse: ({ request }, reason) => notRecorded(lapse(options.journal, request, reason))
})

interface Shown extends Gate.Why {
  readonly preview: Approval.Preview
}

const ask = Effect.fnUntraced(function* (options: Options, call: Call.Weighed, shown: Shown) {
  const unasked = whyUnasked(options, call)
  if (unasked !== null) return unasked
  const request = yield* requestFor(options, call, shown)
  const stored = yield* storedDecision(options, request)
  if (stored !== null) return stored
  const now = yield* options.store.now
  if (now >= request.expiresAtMillis) return yield* decide(options, request, expired)
  if (options.channel.ask === null) return { _tag: "Parked", request } as const
  const { step, turn } = options.journal.state
  const at = { sessionId: options.journal.sessionId, turn, step }
  yield* options.channel.publish({ _tag: "ApprovalAsked", ...at, request })
  const verdict = yield* waitForDecision(options, request, options.channel.ask(request)).pipe(
    Effect.timeoutOrElse({
      duration: request.expiresAtMillis - now,
      orElse: () => decide(options, request, expired)
    }),
    (waiting) => ActiveTime.waiting(options.activeTime, waiting)
  )
  yield* options.channel.publish({
    _tag: "ApprovalEnded",
    ...at,
    approvalId: request.approvalId,
    decision: verdict.decision._tag,
    principal: verdict.principal
  })
  return verdict
})

/** A request that is open already is shown again, whatever came since. */
const whyUnasked = (options: Options, call: Call.Weighed): Call.Unasked | null => {
  const { asks, hasChannel, journal, maxAsks } = options
  const open = journal.state.openCalls.get(call.toolCallId)
  if (open !== undefined && SessionState.pendingRequest(open) !== null) return null
  if (!hasChannel()) {
    return { _tag: "Unasked", reason: "it needs a person, and no session above has a channel to ask in" }
  }
  if (journal.state.asks < maxAsks) return null
  asks.refused = true
  return { _tag: "Unasked", reason: `it needs a person, who was asked ${maxAsks} times in this turn` }
}

const expired = { decision: { _tag: "Expired" }, principal: "deadline" } as const

/** The open request of this very call, if its facts are the same; else a new one, durable before it is shown. */
const requestFor = Effect.fnUntraced(function* (options: Options, call: Call.Weighed, shown: Shown) {
  const { journal } = options
  const open = journal.state.openCalls.get(call.toolCallId)
  const pending = open === undefined ? null : SessionState.pendingRequest(open)
  if (pending !== null) {
    if (fits(pending, call, shown.preview)) return pending
    yield* lapse(journal, pending, "what it was asked for has changed")
  }
  const askedAtMillis = yield* options.store.now
  const request: Approval.Request = {
    approvalId: yield* newApprovalId,
    sessionPath: options.path,
    toolCallId: call.toolCallId,
    tool: call.tool.name,
    version: call.tool.version,
    tier: call.tier,
    arguments: call.canonicalArguments,
    argumentsDigest: call.argumentsDigest,
    preview: shown.preview,
    reason: shown.reason,
    ...(shown.everyTime ? { everyTime: true } : {}),
    askedAtMillis,
    expiresAtMillis: askedAtMillis + options.deadlineMillis
  }
  yield* journal.append({
    bodies: [{ _tag: "ApprovalAsked", request }],
    projections: [{ _tag: "ApprovalPending", request }],
    durability: "Full"
  })
  return request
})

const fits = (pending: Approval.Request, call: Call.Weighed, preview: Approval.Preview): boolean =>
  pending.tool === call.tool.name &&
  pending.version === call.tool.version &&
  pending.tier === call.tier &&
  pending.argumentsDigest === call.argumentsDigest &&
  Canonical.stringify(pending.preview.preconditions) === Canonical.stringify(preview.preconditions)

/** The first of: this channel's answer, stored; anybody's decision found in the inbox. */
const waitForDecision = (
  options: Options,
  request: Approval.Request,
  answer: ReturnType<NonNullable<Channel["Service"]["ask"]>>
) =>
  Effect.raceFirst(
    Effect.flatMap(answer, (given) => decide(options, request, given)),
    inboxChanges(options.store, options.journal.treeId).pipe(
      Stream.mapEffect(() => storedDecision(options, request)),
      Stream.filter((verdict) => verdict !== null),
      Stream.runHead,
      Effect.flatMap((found) => (found._tag === "Some" ? Effect.succeed(found.value) : Effect.never))
    )
  )

/** Stores a decision unless there is one; the verdict is whatever is stored then. */
const decide = Effect.fnUntraced(function* (
  options: Options,
  request: Approval.Request,
  answer: { readonly decision: Approval.Decision; readonly principal: string }
) {
  yield* (
    options.store
      .submit({
        treeId: options.journal.treeId,
        dedupeKey: Inbox.decisionKey(request.approvalId),
        command: { _tag: "DecideApproval", approvalId: request.approvalId, decision: answer.decision },
        principal: answer.principal
      })
      // Somebody decided first, or the deadline did: the stored decision is read below.
      .pipe(
        Effect.catchTag("ApprovalClosed", () => Effect.void),
        Effect.catchTag("SessionNotFound", Effect.die)
      )
  )
  const stored = yield* storedDecision(options, request)
  return stored ?? verdictOf(request, expired)
})

const storedDecision = (
  { journal, store }: Options,
  request: Approval.Request
): Effect.Effect<Call.Approved | Call.Denied | null, StoreFailed> =>
  Effect.map(store.inbox(journal.treeId), (rows) => {
    const key = Inbox.decisionKey(request.approvalId)
    const row = rows.find(({ dedupeKey }) => dedupeKey === key)
    return row === undefined || row.command._tag !== "DecideApproval"
      ? null
      : verdictOf(request, { decision: row.command.decision, principal: row.principal })
  })

const verdictOf = (
  request: Approval.Request,
  { decision, principal }: { readonly decision: Approval.Decision; readonly principal: string }
): Call.Approved | Call.Denied =>
  decision._tag === "Approved"
    ? { _tag: "Approved", request, decision, principal }
    : { _tag: "Denied", request, decision, principal }

/** Closes a request unused. */
export const lapse = (journal: Journal["Service"], request: Approval.Request, reason: string) =>
  journal.append({ bodies: [lapsed(request, reason)], projections: closed({ request }), durability: "Full" })

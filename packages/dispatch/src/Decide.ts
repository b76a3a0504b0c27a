/**
 * Decides a call by policy and, if it asks, by a user. An approval covers exactly the state that its preview showed:
 * the preconditions are read again after the decision. If they have changed, the approval lapses unused and is
 * requested again.
 */
import { Policy, RuleOf } from "@bough/policy"
import { Canonical, type Receipt, Tier, ToolError } from "@bough/protocol"
import type { Grant, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import { assessTier } from "./AssessTier.ts"
import type { CallApproval, CallDenial, PendingCall, PreparedCall, AssessedCall } from "./Call.ts"
import { failed, rejected, type CallAborted } from "./CallAborted.ts"
import { type CallHooks, type Objection, toHooked, toObjection } from "./CallHooks.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import * as Gate from "./Gate.ts"
import * as HostFiles from "./HostFiles.ts"
import type { NotRecorded } from "./Ledger.ts"
import * as Places from "./Places.ts"
import * as Preconditions from "./Preconditions.ts"
import { reachOf } from "./Reach.ts"
import * as RuleFields from "./RuleFields.ts"

/** The call may run, or waits for a decision. */
export type DecideResult = { readonly _tag: "Prepared"; readonly call: PreparedCall } | PendingCall

type DecideEffect = Effect.Effect<DecideResult, CallAborted | NotRecorded, Gate.Gate>

/** The number of approval requests for one call after which the dispatcher abandons it. */
const maxAsks = 3

export const decide = (call: AssessedCall, context: DispatchContext, asks = 0): DecideEffect => {
  const decision = evaluate(call, context)
  if (decision._tag === "Deny") return Effect.fail(denyCall(call, decision.reason))
  const { hooks } = context
  if (hooks === undefined) return applyDecision(call, context, { decision, asks })
  return Effect.flatMap(objectionOf(call, hooks), (objection): DecideEffect => {
    if (objection === null) return applyDecision(call, context, { decision, asks })
    if (objection.effect === "deny") return Effect.fail(denyCall(call, objection.reason))
    const reason = decision._tag === "Allow" ? objection.reason : `${decision.reason}; ${objection.reason}`
    return ask(call, context, { reason, everyTime: true, asks: asks + 1 })
  })
}

const objectionOf = (call: AssessedCall, hooks: CallHooks): Effect.Effect<Objection | null> =>
  Effect.catchDefect(
    Effect.suspend(() => hooks.before(toHooked(call))),
    (defect) => Effect.succeed(toObjection(defect))
  )

interface PolicyResult {
  readonly decision: Exclude<Policy.Decision, { readonly _tag: "Deny" }>
  readonly asks: number
}

const applyDecision = (
  call: AssessedCall,
  context: DispatchContext,
  { asks, decision }: PolicyResult
): DecideEffect => {
  // An approval covers one call and is consumed by its start, whereas a rule covers any number of calls.
  const isUsed = call.prior?.authority?._tag === "User"
  if (decision._tag === "Allow") {
    return isUsed && decision.authority._tag === "Automatic"
      ? ask(call, context, { reason: startedBefore, everyTime: true, asks: asks + 1 })
      : allowCall(call, context, decision.authority)
  }
  const reason = isUsed ? `${decision.reason}; ${startedBefore}` : decision.reason
  if (decision.everyTime) return ask(call, context, { reason, everyTime: true, asks: asks + 1 })
  return Effect.flatMap(wouldRuleCoverCall(call, context), (isCovered) =>
    ask(call, context, {
      reason,
      everyTime: !isCovered,
      asks: asks + 1,
      ...(isCovered ? offeredRule(call, context) : {})
    })
  )
}

const startedBefore = "it was approved and started before, and was interrupted: it may have run"

/** The decision of the rules on a call, before any approval. */
export const evaluate = (call: AssessedCall, context: DispatchContext): Policy.Decision =>
  Policy.evaluate(context.policy, factsOf(call, context))

/** The facts that rules are compared with. */
export const factsOf = (call: AssessedCall, caller: DispatchContext): Policy.Facts => ({
  ...RuleFields.fromCall(call, caller),
  tier: call.tier,
  raised: call.raised,
  reach: reachOf(call.tool, caller.context),
  tainted: call.tainted,
  newHost: call.newHost?.reason ?? null,
  runsCommands: RuleFields.runsCommands(call.tool)
})

/**
 * Returns the rule behind "always" if the approval alone does not determine it: for a call with commands, since it
 * depends on their content, and for a tool of a server, which only this session has.
 */
export const offeredRule = (call: AssessedCall, context: DispatchContext): Pick<Gate.Why, "rule"> => {
  if (call.commands === undefined && !mayBeUnknown(call.tool)) return {}
  const rule = RuleOf.ruleOf({ ...RuleFields.subjectOfCall(call, context), tier: call.tier })
  return rule === null ? {} : { rule: rule.text }
}

/** True for a tool with a capability that the tool contract does not define. */
const mayBeUnknown = ({ capabilities }: Tool.Any): boolean =>
  capabilities.some(({ key }) => !key.startsWith("@bough/tool/"))

/**
 * True if the rule behind "always" would cover this call for the facts that were shown. This is uncertain if a path
 * contains a link to another location, if a name may later resolve to another private address, or if a file that a
 * command runs may change.
 */
export const wouldRuleCoverCall = (call: AssessedCall, context: DispatchContext): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    if (call.grants.some(isByName)) return false
    const files = yield* HostFiles.preconditions(call, context)
    if (files.some(({ _tag }) => _tag === "FileDigest")) return false
    const places = yield* Places.follow(call, context)
    const subject = RuleFields.subjectOfCall({ ...call, places: Places.declaredPaths(call.tool) }, context)
    const rule = RuleOf.ruleOf({ ...subject, tier: call.tier })
    if (rule === null) return true
    const policy: Policy.Policy = { rules: [...context.policy.rules, rule], approve: "ask" }
    return Policy.evaluate(policy, { ...factsOf(call, { ...context, policy }), ...places })._tag === "Allow"
  })

/**
 * True if the host is a name that may resolve elsewhere later. Rules contain no addresses; only an address or this
 * machine's own name always reaches the same host.
 */
const isByName = (grant: Grant.Grant): boolean =>
  grant._tag === "Host" &&
  (grant.addresses ?? []).some((address) => address !== grant.host) &&
  !/(?:^|\.)localhost$/u.test(grant.host)

const denyCall = (call: AssessedCall, reason: string): CallAborted =>
  rejected(new ToolError.PermissionDenied({ tier: call.tier, reason }), null)

const allowCall = (call: AssessedCall, context: DispatchContext, authority: Receipt.Authority): DecideEffect => {
  const ready = prepareCall(call, authority)
  if (call.tool.replay !== "Idempotent" || call.prior !== null) return Effect.succeed({ _tag: "Prepared", call: ready })
  return Preconditions.preview(call, context).pipe(
    Effect.map((preview) => ({
      _tag: "Prepared" as const,
      call: { ...ready, preconditions: Preconditions.withFacts(preview, call.facts) }
    })),
    Effect.mapError((error) => failed(error))
  )
}

/**
 * Makes a call that is ready to start. Only a decision grants access to the locations outside of the session's reach
 * that `classify` found.
 */
export const prepareCall = (call: AssessedCall, authority: Receipt.Authority): PreparedCall => ({
  ...call,
  grants: authority._tag === "Automatic" ? [] : call.grants,
  attempt: (call.prior?.attempts ?? 0) + 1,
  authority,
  approval: null,
  preconditions: call.prior?.preconditions ?? [],
  stateAfter: null
})

interface ApprovalAttempt extends Gate.Why {
  /** The number of approvals asked for so far, this one included. */
  readonly asks: number
}

const ask = Effect.fnUntraced(function* (
  call: AssessedCall,
  context: DispatchContext,
  { asks, ...why }: ApprovalAttempt
): Effect.fn.Return<DecideResult, CallAborted | NotRecorded, Gate.Gate> {
  const obstacle = obstacleTo(call, context)
  if (obstacle !== null) return yield* Effect.fail(denyCall(call, obstacle))
  const gate = yield* Gate.Gate
  const preview = yield* Effect.mapError(Preconditions.fullPreview(call, context), (error) => failed(error))
  const { reason } = why
  const verdict = yield* gate.ask(call, preview, why)
  if (verdict._tag === "Parked") return verdict
  if (verdict._tag === "Unasked") return yield* Effect.fail(denyCall(call, `${reason}; ${verdict.reason}`))
  if (verdict._tag === "Denied") return yield* Effect.fail(refused(call, verdict))
  const { change, now } = yield* reassess(call, context, verdict).pipe(
    Effect.tapError(() => gate.lapse(verdict, "the file in the preview no longer exists"))
  )
  if (change === null) return { _tag: "Prepared", call: withApproval(now, verdict) }
  yield* gate.lapse(verdict, change)
  return asks === maxAsks ? yield* Effect.fail(failed(approvalKeptLapsing(change))) : yield* decide(now, context, asks)
})

/** Returns the reason why the call could not run now, regardless of the user's decision; null: nothing prevents it. */
const obstacleTo = (call: AssessedCall, { context, invocation }: DispatchContext): string | null => {
  const { callKey, facts, grants, isByUser = false, labels, toolCallId } = call
  const invocationOfCall = { ...invocation, toolCallId, callKey, labels, grants, facts, isByUser }
  for (const { key } of call.tool.capabilities) {
    const obstacle = context.capabilities.get(key)?.whyNotNow?.(invocationOfCall)
    if (obstacle !== undefined && obstacle !== null) return obstacle
  }
  return null
}

/** Returns the call after the decision, and the approved facts that no longer hold; null: all of them hold. */
const reassess = Effect.fnUntraced(function* (
  shown: AssessedCall,
  context: DispatchContext,
  { request }: CallApproval
): Effect.fn.Return<{ readonly now: AssessedCall; readonly change: string | null }, CallAborted> {
  const now = yield* assessTier(shown, context, true)
  const { preconditions } = yield* Effect.mapError(Preconditions.fullPreview(now, context), (error) => failed(error))
  const facts: ReadonlyArray<readonly [holds: boolean, otherwise: string]> = [
    [request.tool === now.tool.name && request.version === now.tool.version, "the tool has changed"],
    [request.argumentsDigest === now.argumentsDigest, "the arguments are not the ones that were shown"],
    [!Tier.exceeds(now.tier, request.tier), "the tier of the call is higher now"],
    [Canonical.stringify(now.grants) === Canonical.stringify(shown.grants), "the call needs other hosts or paths"],
    [evaluate(now, context)._tag !== "Deny", "a rule denies it now"],
    [Preconditions.areSame(preconditions, request.preview.preconditions), "the state in the preview has changed"]
  ]
  return { now, change: facts.find(([holds]) => !holds)?.[1] ?? null }
})

const withApproval = (call: AssessedCall, approval: CallApproval): PreparedCall => ({
  ...prepareCall(call, {
    _tag: "User",
    approvalId: approval.request.approvalId,
    principal: approval.principal
  }),
  approval,
  preconditions: approval.request.preview.preconditions
})

const refused = (call: AssessedCall, verdict: CallDenial): CallAborted => {
  const { decision } = verdict
  const words = decision._tag === "Denied" ? decision.words : null
  const error = new ToolError.PermissionDenied({
    tier: call.tier,
    reason: refusalOf(verdict),
    ...(words === null ? {} : { userMessage: words })
  })
  return rejected(error, verdict)
}

const refusalOf = ({ decision, principal }: CallDenial): string => {
  if (decision._tag === "Expired") return "no decision in time"
  if (decision._tag === "Withdrawn") return `the request was withdrawn: ${decision.reason}`
  return `denied by ${principal}`
}

const approvalKeptLapsing = (change: string): ToolError.ExecutionError =>
  new ToolError.ExecutionError({
    message: `approved ${maxAsks} times, and each time ${change} before it could start`,
    hint: "wait until nothing else changes it, then ask again"
  })

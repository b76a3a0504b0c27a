/**
 * Performs everything before the intent: look-up, capability check, decoding, assessment, decision. For a call that was
 * started before, the rules of a re-run apply first.
 */
import { type Session, ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { assessTier } from "./AssessTier.ts"
import type { AttemptResult } from "./Attempts.ts"
import type { RequestedCall, DecodedCall, Prior, AssessedCall } from "./Call.ts"
import { isStop, type CallAborted, unknown } from "./CallAborted.ts"
import * as CapabilityCheck from "./CapabilityCheck.ts"
import { decide, type DecideResult, prepareCall } from "./Decide.ts"
import { decode } from "./Decode.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import type { Gate } from "./Gate.ts"
import type { NotRecorded } from "./Ledger.ts"
import { lookUp } from "./LookUp.ts"
import * as Rerun from "./Rerun.ts"

/** The effect of an earlier attempt exists already: nothing is left to run. */
export interface SettledCall {
  readonly _tag: "Settled"
  readonly attempted: AttemptResult
}

type PrepareEffect<A> = Effect.Effect<A, CallAborted | NotRecorded, Gate>

/**
 * Prepares a call. It must be called when it is the call's turn, because it reads the call at once. Returns an Exit if
 * nothing has to be waited for. `learnt` receives the labels of what the call reads.
 */
export const prepare = (
  requested: RequestedCall,
  context: DispatchContext,
  learnt: Set<Session.Label>
): PrepareEffect<DecideResult | SettledCall> => {
  const understood = understand(requested, context, learnt)
  if (Result.isFailure(understood)) return Effect.fail(afterStart(understood.failure, requested, context))
  return requested.prior === null
    ? judge(understood.success, context)
    : resume(understood.success, context, requested.prior)
}

/**
 * Looks up the tool, checks whether the session has it, and decodes its arguments: everything that can be known about a
 * call without reading the world.
 */
export const understand = (
  requested: RequestedCall,
  caller: DispatchContext,
  learnt = new Set<Session.Label>()
): Result.Result<DecodedCall, CallAborted> => {
  const found = lookUp(requested, caller)
  if (Result.isFailure(found)) return Result.fail(found.failure)
  const able = CapabilityCheck.check(found.success, caller.context)
  if (Result.isFailure(able)) return Result.fail(able.failure)
  const { invocation, redaction } = caller
  return decode(able.success, { sessionId: invocation.sessionId, redaction }, learnt)
}

const judge = (call: DecodedCall, context: DispatchContext): PrepareEffect<DecideResult> =>
  Effect.flatMapEager(assessTier(call, context, wasApproved(call)), (assessed) => decide(assessed, context))

/** True if an earlier attempt was approved and started. */
const wasApproved = ({ prior }: RequestedCall): boolean => prior?.authority?._tag === "User"

const resume = Effect.fnUntraced(function* (
  call: DecodedCall,
  context: DispatchContext,
  prior: Prior
): Effect.fn.Return<DecideResult | SettledCall, CallAborted | NotRecorded, Gate> {
  const refusal = Rerun.refusal(call, prior)
  if (refusal !== null) return yield* Effect.fail(refusal)
  const found = yield* Rerun.decide(call, context, prior)
  if (found === null) {
    return yield* Effect.catchIf(judge(call, context), isStop, (stop) => Effect.fail(afterStart(stop, call, context)))
  }
  // The target may no longer exist: a call that can no longer be assessed does not contradict an effect that was found.
  const assessed = yield* Effect.orElseSucceed(assessTier(call, context, wasApproved(call)), () =>
    asStarted(call, prior)
  )
  const earlier = prepareCall(assessed, prior.authority ?? { _tag: "Automatic" })
  return {
    _tag: "Settled",
    attempted: { call: { ...earlier, attempt: prior.attempts }, result: Result.succeed(found) }
  }
})

/** The call as the record of its first attempt describes it. */
const asStarted = (call: DecodedCall, { tier }: Prior): AssessedCall => ({
  ...call,
  tier,
  raised: null,
  tainted: null,
  newHost: null,
  unseen: false,
  stateBefore: null,
  grants: [],
  facts: [],
  places: {}
})

/** Converts the failure of a call that was started before and cannot be continued: its effect is unknown. */
const afterStart = (stop: CallAborted, { name, prior }: RequestedCall, context: DispatchContext): CallAborted => {
  const { outcome } = stop
  if (prior === null || context.registry.get(name)?.replay === "Safe") return stop
  if (outcome._tag !== "Failed" && outcome._tag !== "Rejected") return stop
  return { ...unknown(`not run again: ${ToolError.describe(outcome.error)}`), denied: stop.denied }
}

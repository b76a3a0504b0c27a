/**
 * Everything before the intent: look up, capabilities, decode, weigh, decide. For a call that was started before, what a
 * re-run may do comes first.
 */
import { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Attempted } from "./Attempts.ts"
import type { Asked, Decoded, Prior, Weighed } from "./Call.ts"
import type { Caller } from "./Caller.ts"
import * as CapabilityCheck from "./CapabilityCheck.ts"
import { decide, type Decided, prepared } from "./Decide.ts"
import { decode } from "./Decode.ts"
import type { Gate } from "./Gate.ts"
import type { NotRecorded } from "./Ledger.ts"
import { lookUp } from "./LookUp.ts"
import * as Rerun from "./Rerun.ts"
import { isStop, type Stop, unknown } from "./Stop.ts"
import { weigh } from "./Weigh.ts"

/** The effect of an earlier attempt was found done: nothing is left to run. */
export interface Settled {
  readonly _tag: "Settled"
  readonly attempted: Attempted
}

type Preparing<A> = Effect.Effect<A, Stop | NotRecorded, Gate>

/** To be called when its turn comes: it looks at the call at once. Where nothing has to be waited for, it returns an Exit. */
export const prepare = (asked: Asked, caller: Caller): Preparing<Decided | Settled> => {
  const understood = understand(asked, caller)
  if (Result.isFailure(understood)) return Effect.fail(afterStart(understood.failure, asked, caller))
  return asked.prior === null ? judge(understood.success, caller) : resume(understood.success, caller, asked.prior)
}

/** Which tool, whether it may be here, what it is given: what can be known of a call without looking at the world. */
export const understand = (asked: Asked, caller: Caller): Result.Result<Decoded, Stop> => {
  const found = lookUp(asked, caller)
  if (Result.isFailure(found)) return Result.fail(found.failure)
  const able = CapabilityCheck.check(found.success, caller.context)
  if (Result.isFailure(able)) return Result.fail(able.failure)
  return decode(able.success, { sessionId: caller.invocation.sessionId, redaction: caller.redaction })
}

const judge = (call: Decoded, caller: Caller): Preparing<Decided> =>
  Effect.flatMapEager(weigh(call, caller, wasAgreed(call)), (weighed) => decide(weighed, caller))

/** An earlier attempt was approved, and started. */
const wasAgreed = ({ prior }: Asked): boolean => prior?.authority?._tag === "User"

const resume = Effect.fnUntraced(function* (
  call: Decoded,
  caller: Caller,
  prior: Prior
): Effect.fn.Return<Decided | Settled, Stop | NotRecorded, Gate> {
  const refusal = Rerun.refusal(call, prior)
  if (refusal !== null) return yield* Effect.fail(refusal)
  const found = yield* Rerun.settle(call, caller, prior)
  if (found === null) {
    return yield* Effect.catchIf(judge(call, caller), isStop, (stop) => Effect.fail(afterStart(stop, call, caller)))
  }
  // What it acted on may be gone: that it cannot be weighed any more says nothing against the effect that was found.
  const weighed = yield* Effect.orElseSucceed(weigh(call, caller, wasAgreed(call)), () => asStarted(call, prior))
  const earlier = prepared(weighed, prior.authority ?? { _tag: "Automatic" })
  return {
    _tag: "Settled",
    attempted: { call: { ...earlier, attempt: prior.attempts }, result: Result.succeed(found) }
  }
})

/** The call as its first attempt was recorded. */
const asStarted = (call: Decoded, { tier }: Prior): Weighed => ({
  ...call,
  tier,
  raised: null,
  tainted: null,
  newHost: null,
  unseen: false,
  grants: [],
  places: {}
})

/** A call that was started once and cannot be gone on with has not failed: nobody knows what it did. */
const afterStart = (stop: Stop, { name, prior }: Asked, caller: Caller): Stop => {
  const { outcome } = stop
  if (prior === null || caller.registry.get(name)?.replay === "Safe") return stop
  if (outcome._tag !== "Failed" && outcome._tag !== "Rejected") return stop
  return { ...unknown(`not run again: ${ToolError.describe(outcome.error)}`), denied: stop.denied }
}

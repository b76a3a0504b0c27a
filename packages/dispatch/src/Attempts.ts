/**
 * Records the intent and runs the handler; repeats both with growing pauses if the handler timed out or failed for a
 * transient reason and its replay class allows it. Each attempt records its own intent. A call that consumed an
 * approval runs once.
 */
import { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { PreparedCall } from "./Call.ts"
import type { CallAborted } from "./CallAborted.ts"
import type { CallConclusion } from "./CallConclusion.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import * as Intent from "./Intent.ts"
import { Ledger, type NotRecorded } from "./Ledger.ts"
import * as Rerun from "./Rerun.ts"
import * as ToolCode from "./ToolCode.ts"

/** The last attempt and its result. */
export interface AttemptResult {
  readonly call: PreparedCall
  readonly result: Result.Result<Tool.ToolResult<unknown>, ToolCode.Failure>
  /** The recorded result that answered the call; its handler did not run. */
  readonly recorded?: CallConclusion
}

/** Progress of a call, for its interruption. */
export interface Progress {
  call: PreparedCall
  /** True once a handler has begun: from then on there may be an effect. */
  hasBegun: boolean
}

/** Allows an interruption. */
export type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Must run uninterruptibly: waits for a permit, the handler and pauses run in `restore`. */
export const run = (
  progress: Progress,
  context: DispatchContext,
  restore: Restore
): Effect.Effect<AttemptResult, CallAborted | NotRecorded, Ledger> => {
  const { call } = progress
  return Effect.flatMap(
    Effect.flatMapEager(Intent.record(call), () => restore(runWithPermit(progress, context))),
    (result) => {
      const attempted = { call, result }
      return mayRunAgain(attempted) ? runAgain(progress, context, restore) : Effect.succeed(attempted)
    }
  )
}

/** Runs with a permit. A tool that waits for other sessions takes none, because those sessions need the permits. */
const runWithPermit = (progress: Progress, context: DispatchContext) => {
  const { call } = progress
  const handler = Effect.suspend(() => {
    progress.hasBegun = true
    return ToolCode.handler(call, context)
  })
  // The lease or the approval's deadline may have ended during the wait for a permit.
  const secured = call.tool.replay === "Safe" ? handler : Effect.andThen(Ledger.use(secureLedger), handler)
  return call.tool.releasesPermit ? secured : context.permits.withPermit(secured)
}

const secureLedger = ({ secure }: Ledger["Service"]) => secure

const mayRunAgain = ({ call, result }: AttemptResult): boolean =>
  Result.isFailure(result) &&
  Tool.isTransient(result.failure.error) &&
  call.tool.replay !== "Unsafe" &&
  call.authority._tag !== "User" &&
  call.attempt < Rerun.maxAttempts

const firstPauseMillis = 200

const runAgain = Effect.fnUntraced(function* (
  progress: Progress,
  context: DispatchContext,
  restore: Restore
): Effect.fn.Return<AttemptResult, CallAborted | NotRecorded, Ledger> {
  const { call } = progress
  yield* restore(Effect.sleep(firstPauseMillis * 2 ** (call.attempt - 1)))
  const before = { attempts: call.attempt, preconditions: call.preconditions }
  const found = yield* restore(Rerun.decide(call, context, before))
  if (found !== null) return { call, result: Result.succeed(found) }
  progress.call = { ...call, attempt: call.attempt + 1, approval: null }
  return yield* run(progress, context, restore)
})

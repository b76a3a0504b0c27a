/**
 * Runs one call, from the text that the model wrote to its recorded end: look up, check capabilities, decode, assess,
 * decide, record the intent, run, truncate, record the end. No tool code runs before its capabilities are checked, and no
 * effect happens before its intent is recorded. On an interruption it stops the handler, and records the end of a call
 * whose effect may exist. A call that is safe to repeat is left open: the session decides whether it runs again.
 */
import { type Session, ToolError } from "@bough/protocol"
import type { Tool } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as AfterWrite from "./AfterWrite.ts"
import * as Attempts from "./Attempts.ts"
import type { RequestedCall, DispatchResult, CallEnd, PreparedCall } from "./Call.ts"
import { isStop, type CallAborted } from "./CallAborted.ts"
import { type CallHooks, toHooked } from "./CallHooks.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import type { Gate } from "./Gate.ts"
import type { Ledger, NotRecorded } from "./Ledger.ts"
import * as Output from "./Output.ts"
import { prepare } from "./Prepare.ts"
import * as RecordResult from "./RecordResult.ts"
import { elapsedMillis } from "./ToolCode.ts"
import * as ToolCodecs from "./ToolCodecs.ts"
import * as Trace from "./Trace.ts"
import * as Unfinished from "./Unfinished.ts"
import * as WorkspaceStates from "./WorkspaceStates.ts"

/** Derives the codecs of a tool before its first call. */
export const derive = (tool: Tool.Any): void => ToolCodecs.codecsOf(tool).prepareOutput()

/** Dispatches one call. After `NotRecorded` the session must not be used further. A parked call has no end yet. */
export const dispatch = (
  asked: RequestedCall,
  context: DispatchContext
): Effect.Effect<DispatchResult, NotRecorded, Gate | Ledger> =>
  context.isTraced === true ? dispatchTraced(asked, context) : run(asked, context)

const dispatchTraced = (requested: RequestedCall, context: DispatchContext) =>
  Trace.span(
    Effect.tap(run(requested, context), (dispatched) =>
      Trace.annotate(true, () => ({
        "bough.call.outcome": dispatched._tag === "Parked" ? "Parked" : dispatched.outcome._tag
      }))
    ),
    "Dispatcher.dispatch",
    {
      isTraced: true,
      attributes: () => Trace.callAttributes(knownName(requested, context), requested.toolCallId, context)
    }
  )

/** Returns the name for spans: the name of an unknown tool is text of the model, and is not used. */
const knownName = ({ name }: RequestedCall, { registry }: DispatchContext): string =>
  registry.has(name) ? name : "_OTHER"

const run = (
  requested: RequestedCall,
  context: DispatchContext
): Effect.Effect<DispatchResult, NotRecorded, Gate | Ledger> =>
  Effect.uninterruptibleMask((restore) => {
    const learnt = new Set<Session.Label>()
    const preparing = prepare(requested, context, learnt)
    return Effect.flatMapEager(
      // Most calls are prepared by now, and need no interruption point.
      Exit.isExit(preparing) ? preparing : restore(preparing),
      (ready): Effect.Effect<DispatchResult, CallAborted | NotRecorded, Ledger> => {
        if (ready._tag === "Parked") return Effect.succeed(ready)
        return ready._tag === "Settled" ? recordAttempt(ready.attempted, context) : start(ready.call, context, restore)
      }
    ).pipe(Effect.catchIf(isStop, (stop) => RecordResult.recordStop(requested, context, { ...stop, learnt })))
  })

const start = (
  call: PreparedCall,
  context: DispatchContext,
  restore: Attempts.Restore
): Effect.Effect<CallEnd, CallAborted | NotRecorded, Ledger> =>
  Clock.clockWith((clock) => {
    const startedAtMillis = clock.currentTimeMillisUnsafe()
    const startedAtNanos = clock.monotonicTimeNanosUnsafe()
    const timing = () => ({
      startedAtMillis,
      elapsedMillis: elapsedMillis(startedAtNanos, clock.monotonicTimeNanosUnsafe())
    })
    const progress: Attempts.Progress = { call, hasBegun: false }
    const attempting = Effect.andThen(
      RecordResult.announce(call, context),
      call.tool.cache === null || context.results === undefined
        ? Attempts.run(progress, context, restore)
        : cachedRun(progress, context, restore)
    )
    const recording = Effect.onExitPrimitive(attempting, (exit) =>
      Exit.hasInterrupts(exit) ? endInterrupted(progress, context, timing) : undefined
    )
    return Effect.flatMap(recording, (attempted) => {
      const ended = timing()
      const concluding = Effect.flatMapEager(WorkspaceStates.recordAfter(attempted.call, context), (call) => {
        const recorded = { ...attempted, call }
        return Effect.flatMapEager(AfterWrite.remark(recorded, context, restore), (remark) =>
          conclude(recorded, context, { ...ended, remark })
        )
      })
      const { hooks } = context
      // The effects of a hook count as effects of the call, and are undone with it.
      return hooks === undefined
        ? concluding
        : Effect.andThen(
            Effect.exit(
              restore(Effect.suspend(() => hooks.after(toHooked(attempted.call), toHookResult(attempted, context))))
            ),
            concluding
          )
    })
  })

const cachedRuns = Effect.promise(() => import("./CachedRun.ts"))

const cachedRun: typeof Attempts.run = (progress, context, restore) =>
  Effect.flatMap(cachedRuns, (loaded) => loaded.run(progress, context, restore))

/**
 * Hooks get the redacted sentence that is recorded; for them, a result that does not match its tool's schema is an
 * error.
 */
const toHookResult = (
  { call: { tool }, recorded, result }: Attempts.AttemptResult,
  { redaction }: DispatchContext
): Parameters<CallHooks["after"]>[1] => {
  if (recorded?.outcome._tag === "Succeeded") return { isError: false, text: recorded.outcome.display }
  const shown = Result.isSuccess(result)
    ? Output.displayOf(tool, result.success, redaction)
    : Result.fail(result.failure.error)
  return Result.isSuccess(shown)
    ? { isError: false, text: shown.success }
    : { isError: true, text: redaction.redact(ToolError.describe(shown.failure)) }
}

/**
 * Records the known outcome, and the workspace as the call left it: later changes by the user are not its own. If
 * recording fails, the next process finds the call open.
 */
const endInterrupted = (
  progress: Attempts.Progress,
  context: DispatchContext,
  timing: () => RecordResult.Timing
): Effect.Effect<void, never, Ledger> =>
  Effect.flatMap(
    Unfinished.concludeInterrupted(progress, context),
    (known): Effect.Effect<unknown, NotRecorded, Ledger> => {
      if (known === null) return Effect.void
      const ended = timing()
      return Effect.flatMap(
        WorkspaceStates.recordAfter(progress.call, context),
        (call): Effect.Effect<unknown, NotRecorded, Ledger> =>
          known._tag === "Found"
            ? conclude({ call, result: Result.succeed(known.result) }, context, ended)
            : RecordResult.recordRun(call, context, { concluded: known.concluded, timing: ended })
      )
    }
  ).pipe(Effect.ignore)

/** Ends a call whose effect exists already; its handler does not run. */
const recordAttempt = (
  attempted: Attempts.AttemptResult,
  context: DispatchContext
): Effect.Effect<CallEnd, NotRecorded, Ledger> =>
  Effect.flatMap(Clock.currentTimeMillis, (startedAtMillis) =>
    conclude(attempted, context, { startedAtMillis, elapsedMillis: 0 })
  )

const conclude = (
  { call, recorded, result }: Attempts.AttemptResult,
  context: DispatchContext,
  { remark = null, ...timing }: RecordResult.Timing & { readonly remark?: string | null }
): Effect.Effect<CallEnd, NotRecorded, Ledger> =>
  Effect.flatMapEager(
    recorded !== undefined
      ? Effect.succeed(recorded)
      : Result.isSuccess(result)
        ? Output.succeeded({ ...call, remark }, result.success, context)
        : Effect.succeed(Unfinished.concludeFailed(call, result.failure)),
    (concluded) => {
      const ended = RecordResult.recordRun(call, context, { concluded, timing })
      return call.caching === undefined
        ? ended
        : Effect.tap(ended, () => Effect.sync(() => call.caching?.keep(concluded)))
    }
  )

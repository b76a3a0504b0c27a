/**
 * Ends a call whose handler returned no result. If the handler failed with an error, the call has failed. A handler
 * that timed out, died or was stopped may have had its effect: the outcome of an Unsafe call is then unknown, and the
 * effect of an Idempotent call is looked for.
 */
import type { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { Progress } from "./Attempts.ts"
import type { DecodedCall } from "./Call.ts"
import type { CallConclusion } from "./CallConclusion.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import * as Output from "./Output.ts"
import * as PartialResult from "./PartialResult.ts"
import * as Rerun from "./Rerun.ts"
import type * as ToolCode from "./ToolCode.ts"
import * as UnknownOutcome from "./UnknownOutcome.ts"

/** The end of a call whose handler failed by itself or was ended by the dispatcher. */
export const concludeFailed = ({ tool }: Pick<DecodedCall, "tool">, failure: ToolCode.Failure): CallConclusion => {
  const uncertaintyText = tool.replay === "Unsafe" ? uncertainty(tool, failure) : null
  const soFar = failure.error._tag === "Timeout" ? failure.error.hint : undefined
  return uncertaintyText === null ? Output.failed(failure.error) : unknownOutcome(uncertaintyText, soFar)
}

/** Returns the reason why the effect is uncertain; null: the handler itself failed with an error. */
const uncertainty = ({ name }: Tool.Any, { error, isReported }: ToolCode.Failure): string | null => {
  if (error._tag === "Timeout") return `${name} ran out of time after ${seconds(error.elapsedMillis)} s`
  if (isReported) return null
  return error._tag === "ExecutionError" ? error.message : `${name} died`
}

const seconds = (millis: number): string => (millis / 1000).toFixed(1)

/** The time in which `findExisting` has to find the effect of an interrupted call. */
const timeoutMillis = 1000

export interface FoundOutcome {
  readonly _tag: "Found"
  readonly result: Tool.ToolResult<unknown>
}

export interface UnfinishedEnd {
  readonly _tag: "Ended"
  readonly concluded: CallConclusion
}

/**
 * Returns the known outcome of an interrupted call; null: every effect so far can be repeated, so the session decides.
 */
export const concludeInterrupted = (
  progress: Progress,
  context: DispatchContext
): Effect.Effect<FoundOutcome | UnfinishedEnd | null> => {
  const { call, hasBegun } = progress
  const { name, replay } = call.tool
  if (!hasBegun) {
    const ended = { _tag: "Ended", concluded: notRun(`${whyOf(context)}: ${name} had not begun`) } as const
    return Effect.succeed(replay === "Safe" ? null : ended)
  }
  if (replay === "Safe") return Effect.succeed(null)
  if (replay === "Unsafe") {
    const reason = `${name} was stopped before it finished (${whyOf(context)})`
    return Effect.succeed({ _tag: "Ended", concluded: unknownOutcome(reason, PartialResult.textOf(call, context)) })
  }
  return Rerun.findExistingEffect(call, context).pipe(
    Effect.timeoutOrElse({ duration: timeoutMillis, orElse: () => Effect.succeed(null) }),
    Effect.map((result) => (result === null ? null : { _tag: "Found", result }))
  )
}

const whyOf = ({ whyStopped }: DispatchContext): string => whyStopped?.() ?? "interrupted"

const unknownOutcome = (reason: string, soFar?: string): CallConclusion => ({
  ...nothing,
  outcome: UnknownOutcome.stoppedOutcome(reason, soFar)
})

const notRun = (reason: string): CallConclusion => ({ ...nothing, outcome: { _tag: "NotRun", reason } })

const nothing = { outputDigest: null, textDigest: null, artifacts: [] }

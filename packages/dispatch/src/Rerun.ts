/**
 * Decides if a call that was started and has no result runs again, after an interruption or a timeout. A Safe call runs
 * again. An Idempotent call returns its existing effect, or runs again if its preconditions still hold. The outcome of
 * any other call is unknown.
 */
import { type Approval, ToolError } from "@bough/protocol"
import type { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Answers from "./Answers.ts"
import type { DecodedCall, Prior } from "./Call.ts"
import { failed, type CallAborted, unknown } from "./CallAborted.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import * as Preconditions from "./Preconditions.ts"
import * as ToolCode from "./ToolCode.ts"

/** The maximum number of attempts of one call, across interruptions. */
export const maxAttempts = 3

/** The effects of the attempts so far. */
export interface EarlierAttempts {
  readonly attempts: number
  /** The preconditions of the first attempt. */
  readonly preconditions: ReadonlyArray<Approval.Precondition>
}

/**
 * Decides on a re-run. Returns null if the call may run again, or its result if its effect already exists, which is
 * checked first.
 */
export const decide = (
  call: DecodedCall,
  context: DispatchContext,
  before: EarlierAttempts
): Effect.Effect<Tool.ToolResult<unknown> | null, CallAborted> => {
  const { name, replay, releasesPermit } = call.tool
  if (replay === "Unsafe") return Effect.fail(unknown(`${name} cannot be run twice`))
  return Effect.flatMap(findExistingEffect(call, context), (result) => {
    if (result !== null && !leavesAsBefore(result, before)) return Effect.succeed(result)
    // A call that only waits has no effect, however often it is interrupted.
    if (before.attempts >= maxAttempts && !(releasesPermit && replay === "Safe")) {
      return Effect.fail(failed(tooManyAttempts(before.attempts)))
    }
    return replay === "Safe" ? Effect.succeed(null) : failIfChanged(call, context, before)
  })
}

/**
 * Returns how the call differs from the one that was started: another version of the tool, or other arguments; null: it
 * does not differ.
 */
export const refusal = (call: DecodedCall, prior: Prior): CallAborted | null => {
  const { tool } = call
  if (prior.version !== tool.version)
    return unknown(`${tool.name} has changed since: version ${prior.version} is now ${tool.version}`)
  // A Safe call without an approval leaves no record of its start, and so no digest to compare.
  const isUnrecorded = tool.replay === "Safe" && prior.authority === null
  if (isUnrecorded || prior.argumentsDigest === call.argumentsDigest) return null
  return unknown("its arguments are not the ones it was started with")
}

/**
 * True if a file is unchanged since the start of the call. Then there was no effect, and `findExisting` mistook the
 * earlier content for the call's result.
 */
const leavesAsBefore = ({ artifacts = [] }: Tool.ToolResult<unknown>, { preconditions }: EarlierAttempts): boolean =>
  artifacts.some(
    (artifact) =>
      artifact._tag === "FileWritten" &&
      preconditions.some(
        (fact) => fact._tag === "FileDigest" && fact.path === artifact.path && fact.digest === artifact.digest
      )
  )

const failIfChanged = (
  call: DecodedCall,
  context: DispatchContext,
  before: EarlierAttempts
): Effect.Effect<null, CallAborted> =>
  Effect.zipWith(Preconditions.preview(call, context), factsNow(call, context, before), Preconditions.withFacts).pipe(
    Effect.map((preconditions) => Preconditions.areSame(preconditions, before.preconditions)),
    // If a preview can no longer be made, the facts have changed since the first one.
    Effect.orElseSucceed(() => false),
    Effect.flatMap((holds) =>
      holds ? Effect.succeed(null) : Effect.fail(unknown("what it relied on has changed since"))
    )
  )

/** Returns the facts of the classification, which does not run again for a call that was started without any. */
const factsNow = (call: DecodedCall, context: DispatchContext, { preconditions }: EarlierAttempts) => {
  const classification = preconditions.some(({ _tag }) => _tag === "Fact")
    ? ToolCode.classification(call, context)
    : null
  return classification === null ? Effect.succeed([]) : Effect.map(classification, ({ facts = [] }) => facts)
}

/**
 * Returns the effect of a call that may have run, as found by its tool; null: there is no effect, or the tool cannot
 * tell.
 */
export const findExistingEffect = (
  call: DecodedCall,
  context: DispatchContext
): Effect.Effect<Tool.ToolResult<unknown> | null> => {
  const { findExisting } = call.tool
  if (findExisting === null) return Effect.succeed(null)
  const effectSearch = {
    name: "findExisting",
    effect: () => findExisting(call.parameters),
    read: Answers.findExisting(call.tool)
  } as const
  return Effect.orElseSucceed(ToolCode.reader(call, context, effectSearch), () => null)
}

const tooManyAttempts = (attempts: number): ToolError.ExecutionError =>
  new ToolError.ExecutionError({
    message: `started ${attempts} times and never finished`,
    hint: "check what it left behind before doing it again"
  })

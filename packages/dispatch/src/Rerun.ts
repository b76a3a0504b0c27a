/**
 * What may be done about a call that was started before and has no result: after an interruption, or after an attempt
 * that ran out of time. Safe runs again; Idempotent runs while what it relied on still holds, or returns the effect that
 * is already there; anything else is unknown.
 */
import { type Approval, ToolError } from "@bough/protocol"
import type { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Answers from "./Answers.ts"
import type { Decoded, Prior } from "./Call.ts"
import type { Caller } from "./Caller.ts"
import * as Preconditions from "./Preconditions.ts"
import { failed, type Stop, unknown } from "./Stop.ts"
import * as ToolCode from "./ToolCode.ts"

/** Of one call, whatever interrupts it. */
export const maxAttempts = 3

/** What the attempts so far left behind. */
export interface Before {
  readonly attempts: number
  /** What held when the first attempt started. */
  readonly preconditions: ReadonlyArray<Approval.Precondition>
}

/** Null: it may run again. A result: its effect is already there. */
export const settle = (
  call: Decoded,
  caller: Caller,
  before: Before
): Effect.Effect<Tool.ToolResult<unknown> | null, Stop> => {
  if (before.attempts >= maxAttempts) return Effect.fail(failed(tooMany(before.attempts)))
  if (call.tool.replay === "Safe") return Effect.succeed(null)
  if (call.tool.replay === "Unsafe") return Effect.fail(unknown(`${call.tool.name} cannot be run twice`))
  return Effect.flatMap(stillHolds(call, caller, before), (holds) =>
    holds ? Effect.succeed(null) : found(call, caller)
  )
}

/** Why it is not the call that was started: another version of the tool, or other arguments; null: it is. */
export const refusal = (call: Decoded, prior: Prior): Stop | null => {
  const { tool } = call
  if (prior.version !== tool.version)
    return unknown(`${tool.name} has changed since: version ${prior.version} is now ${tool.version}`)
  // A Safe call that nobody approved leaves no record of its start, so no digest either.
  const isUnrecorded = tool.replay === "Safe" && prior.authority === null
  if (isUnrecorded || prior.argumentsDigest === call.argumentsDigest) return null
  return unknown("its arguments are not the ones it was started with")
}

const stillHolds = (call: Decoded, caller: Caller, before: Before): Effect.Effect<boolean> =>
  Preconditions.preview(call, caller).pipe(
    Effect.map(({ preconditions }) => Preconditions.areSame(preconditions, before.preconditions)),
    // A preview that cannot be made any more found another world than the first one did.
    Effect.orElseSucceed(() => false)
  )

const found = (call: Decoded, caller: Caller): Effect.Effect<Tool.ToolResult<unknown>, Stop> => {
  const { settled } = call.tool
  const changed = unknown("what it relied on has changed since")
  if (settled === null) return Effect.fail(changed)
  const reading = { name: "settled", effect: () => settled(call.parameters), read: Answers.settled(call.tool) } as const
  return ToolCode.reader(call, caller, reading).pipe(
    Effect.orElseSucceed(() => null),
    Effect.flatMap((result) => (result === null ? Effect.fail(changed) : Effect.succeed(result)))
  )
}

const tooMany = (attempts: number): ToolError.ExecutionError =>
  new ToolError.ExecutionError({
    message: `started ${attempts} times and never finished`,
    hint: "check what it left behind before doing it again"
  })

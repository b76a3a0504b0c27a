/**
 * Runs a piece of a tool's code: under a fresh context, in a scope of its own, within its time. Whatever it does wrong
 * comes back as one of the four errors.
 */
import { ToolError } from "@bough/protocol"
import { type Capability, type Invocation, Tool } from "@bough/tool"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Decoded } from "./Call.ts"
import type { Caller } from "./Caller.ts"
import * as HandlerContext from "./HandlerContext.ts"

/** The handler, with what an approval granted. */
export const handler = (
  call: Decoded & { readonly grants: Invocation.Invocation["Service"]["grants"] },
  caller: Caller
): Effect.Effect<Tool.ToolResult<unknown>, ToolError.ToolError> =>
  run(call, caller, {
    capabilities: call.tool.capabilities,
    grants: call.grants,
    effect: () => call.tool.execute(call.parameters)
  })

/** `classify`, `preview`, `settled`: with the declared capabilities that only read, and no grant. */
export const reader = <A>(
  call: Decoded,
  caller: Caller,
  effect: () => Effect.Effect<A, ToolError.ToolError, unknown>
): Effect.Effect<A, ToolError.ToolError> =>
  run(call, caller, {
    capabilities: call.tool.capabilities.filter(({ floor }) => floor === "ReadOnly"),
    grants: [],
    effect
  })

interface Piece<A> {
  readonly capabilities: ReadonlyArray<Capability.Any>
  readonly grants: Invocation.Invocation["Service"]["grants"]
  readonly effect: () => Effect.Effect<A, ToolError.ToolError, unknown>
}

const run = <A>(call: Decoded, caller: Caller, piece: Piece<A>): Effect.Effect<A, ToolError.ToolError> =>
  Effect.contextWith((dispatching: Context.Context<never>) => {
    const context = HandlerContext.make(call, caller, { ...piece, dispatching })
    return Effect.suspend(piece.effect).pipe(
      Effect.scoped,
      Effect.setContext(context as Context.Context<unknown>),
      (inTime) => within(inTime, call)
    )
  }).pipe(Effect.catchCause((cause) => Effect.fail(toToolError(cause, call.tool.name))))

const within = <A>(
  effect: Effect.Effect<A, ToolError.ToolError>,
  call: Decoded
): Effect.Effect<A, ToolError.ToolError> =>
  Effect.clockWith((clock) => {
    const startedAt = clock.monotonicTimeNanosUnsafe()
    return Effect.timeoutOrElse(effect, {
      duration: call.tool.timeoutMillis(call.parameters),
      orElse: () =>
        Effect.fail(
          new ToolError.Timeout({ elapsedMillis: elapsedMillis(startedAt, clock.monotonicTimeNanosUnsafe()) })
        )
    })
  })

/** Whole milliseconds between two readings of the monotonic clock. */
export const elapsedMillis = (fromNanos: bigint, toNanos: bigint): number => Number((toNanos - fromNanos) / 1_000_000n)

/** The dispatcher's own interruption does not come here: its fiber unwinds past this. */
const toToolError = (cause: Cause.Cause<unknown>, tool: string): ToolError.ToolError => {
  const failure = cause.reasons.find(Cause.isFailReason)
  if (failure !== undefined && Tool.isToolError(failure.error)) return failure.error
  if (failure !== undefined)
    return bug(tool, `it failed with something other than a ToolError: ${describe(failure.error)}`)
  const defect = cause.reasons.find(Cause.isDieReason)
  return bug(tool, defect === undefined ? "it interrupted itself" : describe(defect.defect))
}

/** An error that is nobody's fault but the tool's. */
export const bug = (tool: string, what: string): ToolError.ExecutionError =>
  new ToolError.ExecutionError({
    message: `a bug in the tool ${tool}: ${what}`,
    hint: "other arguments may avoid it; its author has to mend it"
  })

const describe = (thrown: unknown): string =>
  thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)

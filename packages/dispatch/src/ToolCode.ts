/**
 * Runs a piece of a tool's code: under a fresh context, in a scope of its own, within its time. Whatever it does wrong
 * comes back as one of the four errors.
 */
import { ToolError } from "@bough/protocol"
import { type Capability, type Invocation, Tool } from "@bough/tool"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Decoded } from "./Call.ts"
import type { Caller } from "./Caller.ts"
import * as CallGate from "./CallGate.ts"
import * as HandlerContext from "./HandlerContext.ts"
import { attempt } from "./internal/attempt.ts"
import { describeThrown } from "./internal/describeThrown.ts"

/** How a piece of a tool's code failed. */
export interface Failure {
  readonly error: ToolError.ToolError
  /** The code itself failed with this error; else it died, or its time was over. */
  readonly isTold: boolean
}

/** The handler, with what an approval granted. */
export const handler = (
  call: Decoded & { readonly grants: Invocation.Invocation["Service"]["grants"] },
  caller: Caller
): Effect.Effect<Tool.ToolResult<unknown>, Failure> =>
  run(call, caller, {
    capabilities: call.tool.capabilities,
    grants: call.grants,
    effect: () => call.tool.execute(call.parameters)
  })

/** A function of the tool that only reads, and how its answer is read: into plain data, or a sentence on what does not fit. */
export interface Reading<A> {
  readonly name: "classify" | "preview" | "settled"
  readonly effect: () => Effect.Effect<unknown, ToolError.ToolError, unknown>
  readonly read: (answer: unknown) => Result.Result<A, string>
}

/** Runs `classify`, `preview` or `settled` with the declared capabilities that only read, and no grant. */
export const reader = <A>(
  call: Decoded,
  caller: Caller,
  { effect, name, read }: Reading<A>
): Effect.Effect<A, ToolError.ToolError> =>
  run(call, caller, {
    capabilities: call.tool.capabilities.filter(({ floor }) => floor === "ReadOnly"),
    grants: [],
    name,
    effect
  }).pipe(
    Effect.mapError(({ error }) => error),
    Effect.flatMap((answer) =>
      Effect.fromResult(
        Result.mapError(
          attempt(() => read(answer), describeThrown),
          (wrong) => bug(call.tool.name, `${name}: ${wrong}`)
        )
      )
    )
  )

/** What a provided capability reads for a call: without any service, and within the call's time. */
export const provided = <A>(
  call: Decoded,
  effect: Effect.Effect<A, ToolError.ToolError>
): Effect.Effect<A, ToolError.ToolError> =>
  within(effect, call).pipe(Effect.catchCause((cause) => Effect.fail(toFailure(cause, call.tool.name).error)))

interface Piece<A> {
  /** Which function of the tool it is; left out of the handler. */
  readonly name?: Reading<A>["name"]
  readonly capabilities: ReadonlyArray<Capability.Any>
  readonly grants: Invocation.Invocation["Service"]["grants"]
  readonly effect: () => Effect.Effect<A, ToolError.ToolError, unknown>
}

const run = <A>(call: Decoded, caller: Caller, piece: Piece<A>): Effect.Effect<A, Failure> =>
  Effect.contextWith((dispatching: Context.Context<never>) => {
    const gate = piece.capabilities.length === 0 ? CallGate.ofNothing : CallGate.make()
    const context = HandlerContext.make(call, caller, { ...piece, gate, dispatching })
    return Effect.suspend(piece.effect).pipe(
      Effect.scoped,
      (work) => (gate === CallGate.ofNothing ? work : Effect.ensuring(work, gate.end)),
      Effect.setContext(context as Context.Context<unknown>),
      (inTime) => within(inTime, call)
    )
  }).pipe(Effect.catchCause((cause) => Effect.fail(toFailure(cause, call.tool.name, piece.name))))

const within = <A>(
  effect: Effect.Effect<A, ToolError.ToolError>,
  call: Decoded
): Effect.Effect<A, ToolError.ToolError> =>
  Effect.clockWith((clock) => {
    const duration: unknown = call.tool.timeoutMillis(call.parameters)
    if (typeof duration !== "number" || !(duration >= 0)) {
      return Effect.fail(bug(call.tool.name, "timeoutMillis is no number of milliseconds"))
    }
    const startedAt = clock.monotonicTimeNanosUnsafe()
    return Effect.timeoutOrElse(effect, {
      duration,
      orElse: () =>
        Effect.fail(
          new ToolError.Timeout({ elapsedMillis: elapsedMillis(startedAt, clock.monotonicTimeNanosUnsafe()) })
        )
    })
  })

/** Whole milliseconds between two readings of the monotonic clock. */
export const elapsedMillis = (fromNanos: bigint, toNanos: bigint): number => Number((toNanos - fromNanos) / 1_000_000n)

/** The dispatcher's own interruption does not come here: its fiber unwinds past this. */
const toFailure = (cause: Cause.Cause<unknown>, tool: string, piece?: string): Failure =>
  Result.getOrElse(
    Result.try(() => read(cause, tool, piece)),
    () => ({ error: bug(tool, "it failed with an error that cannot be read"), isTold: false })
  )

const read = (cause: Cause.Cause<unknown>, tool: string, piece: string | undefined): Failure => {
  const failure = cause.reasons.find(Cause.isFailReason)
  const told = failure === undefined ? null : Tool.toToolError(failure.error)
  return told === null
    ? { error: bug(tool, `${piece === undefined ? "" : `${piece}: `}${faultOf(cause, failure)}`), isTold: false }
    : { error: told, isTold: true }
}

const faultOf = (cause: Cause.Cause<unknown>, failure: Cause.Fail<unknown> | undefined): string => {
  if (failure !== undefined) {
    return `it failed with something other than a ToolError: ${describeThrown(failure.error)}; map it to one of the four`
  }
  const defect = cause.reasons.find(Cause.isDieReason)
  return defect === undefined ? "it interrupted itself" : describeThrown(defect.defect)
}

/** An error that is nobody's fault but the tool's. */
export const bug = (tool: string, what: string): ToolError.ExecutionError =>
  new ToolError.ExecutionError({
    message: `a bug in the tool ${tool}: ${what}`,
    hint: "other arguments may avoid it; tell the author of the tool"
  })

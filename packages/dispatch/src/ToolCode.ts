/**
 * Runs a piece of a tool's code in a fresh context, in its own scope, within its time limit. Every fault of the code is
 * returned as one of the four errors.
 */
import { ToolError } from "@bough/protocol"
import { type Capability, HandlerOrigin, type Invocation, PausableTimeout, Tool } from "@bough/tool"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import * as Answers from "./Answers.ts"
import type { AssessedCall, DecodedCall, PreparedCall } from "./Call.ts"
import * as CallGate from "./CallGate.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import { Gate } from "./Gate.ts"
import * as HandlerContext from "./HandlerContext.ts"
import * as HostAdmission from "./HostAdmission.ts"
import { attempt } from "./internal/attempt.ts"
import { describeThrown } from "./internal/describeThrown.ts"
import { handleRejections } from "./internal/handleRejections.ts"
import * as Trace from "./Trace.ts"

/** The failure of a piece of a tool's code. */
export interface Failure {
  readonly error: ToolError.ToolError
  /** True if the code returned this error; false: the code died or timed out. */
  readonly isReported: boolean
}

/** Runs the handler, with the grants of its approval. */
export const handler = (
  call: PreparedCall,
  context: DispatchContext
): Effect.Effect<Result.Result<Tool.ToolResult<unknown>, Failure>> =>
  context.isTraced === true ? tracedHandler(call, context) : runHandler(call, context)

const runHandler = (call: PreparedCall, context: DispatchContext) =>
  run(call, context, {
    capabilities: call.tool.capabilities,
    grants: call.grants,
    facts: factsOf(call),
    effect: () => call.tool.execute(call.parameters),
    running: call
  })

/**
 * Returns the facts of a call. The facts that a user has seen come first, because the facts of the classification are
 * read again before the start.
 */
const factsOf = ({ facts, preconditions }: PreparedCall): ReadonlyArray<Tool.Fact> =>
  preconditions.length === 0
    ? facts
    : [...preconditions.flatMap((one) => (one._tag === "Fact" ? [{ key: one.key, digest: one.digest }] : [])), ...facts]

const tracedHandler = (call: PreparedCall, context: DispatchContext) =>
  Trace.span(
    Effect.tap(runHandler(call, context), (result) =>
      Trace.annotate(Result.isFailure(result), () => ({
        "error.type": Result.isFailure(result) ? result.failure.error._tag : ""
      }))
    ),
    "Tool.execute",
    {
      isTraced: true,
      attributes: () => ({
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.type": "function",
        "bough.tool.tier": call.tier,
        "bough.tool.version": call.tool.version,
        ...Trace.callAttributes(call.tool.name, call.toolCallId, context)
      })
    }
  )

/**
 * A function of the tool that only reads, with the reader of its result: plain data, or a sentence about a value that
 * does not fit.
 */
export interface ReadingMember<A> {
  readonly name: "classify" | "preview" | "findExisting"
  readonly effect: () => Effect.Effect<unknown, ToolError.ToolError, unknown>
  readonly read: (answer: unknown) => Result.Result<A, string>
}

/** Runs `classify`, `preview` or `findExisting` with the declared capabilities that only read, and no grant. */
export const reader = <A>(
  call: DecodedCall,
  context: DispatchContext,
  { effect, name, read }: ReadingMember<A>
): Effect.Effect<A, ToolError.ToolError> =>
  run(call, context, {
    capabilities: call.tool.capabilities.filter(({ floor }) => floor === "ReadOnly"),
    grants: [],
    name,
    effect
  }).pipe(
    Effect.flatMap((answered) =>
      Effect.fromResult(
        Result.isFailure(answered)
          ? Result.fail(answered.failure.error)
          : Result.mapError(
              attempt(() => CallGate.reading(answered.success, () => read(answered.success)), describeThrown),
              (wrong) => {
                handleRejections(answered.success)
                return bug(call.tool.name, `${name}: ${wrong}`)
              }
            )
      )
    )
  )

/** Runs the tool's `classify`; null: it has none. */
export const classification = (
  call: DecodedCall,
  context: DispatchContext
): Effect.Effect<Tool.Classification, ToolError.ToolError> | null => {
  const { classify } = call.tool
  if (classify === null) return null
  const effect = () => classify(call.parameters)
  return reader(call, context, { name: "classify", effect, read: Answers.classification })
}

/** Reads the preconditions of a provided capability, without any service and within the call's time limit. */
export const readPreconditions = <A>(
  call: DecodedCall,
  effect: Effect.Effect<A, ToolError.ToolError>
): Effect.Effect<A, ToolError.ToolError> =>
  Effect.contextWith((context: Context.Context<never>) =>
    runWithContext(effect, call, { context, pauses: PausableTimeout.make() })
  ).pipe(Effect.catchCause((cause) => Effect.fail(toFailure(cause, call.tool.name).error)))

interface Piece<A> {
  /** The name of the tool's function; absent for the handler. */
  readonly name?: ReadingMember<A>["name"]
  readonly capabilities: ReadonlyArray<Capability.Any>
  readonly grants: Invocation.Invocation["Service"]["grants"]
  readonly facts?: Invocation.Invocation["Service"]["facts"]
  readonly effect: () => Effect.Effect<A, ToolError.ToolError, unknown>
  /** The call of the handler; absent for functions that only read. */
  readonly running?: AssessedCall
}

const run = <A>(
  call: DecodedCall,
  caller: DispatchContext,
  piece: Piece<A>
): Effect.Effect<Result.Result<A, Failure>> =>
  Effect.matchCause(
    Effect.contextWith((dispatching: Context.Context<never>) => {
      const gate = piece.capabilities.length === 0 ? CallGate.ofNothing : CallGate.make()
      const scope = Scope.makeUnsafe()
      const pauses = PausableTimeout.make()
      let isOver = false
      const asking = {
        gate: Option.getOrNull(Context.getOption(dispatching, Gate)),
        pauses,
        isOver: () => isOver
      }
      const admitHost = piece.running === undefined ? undefined : HostAdmission.admitHost(piece.running, caller, asking)
      const context = HandlerContext.make(call, caller, {
        capabilities: piece.capabilities,
        grants: piece.grants,
        facts: piece.facts ?? [],
        gate,
        dispatching,
        scope,
        ...(admitHost === undefined ? {} : { admitHost })
      })
      const work = Effect.onExitPrimitive(
        Effect.suspend(() => onlyEffect(piece.effect())),
        (exit) => {
          isOver = true
          if (Exit.isSuccess(exit)) gate.allowReading(exit.value)
          return close(scope, gate, exit)
        }
      )
      return runWithContext(work, call, { context: context as Context.Context<unknown>, pauses })
    }),
    {
      onSuccess: (value): Result.Result<A, Failure> => Result.succeed(value),
      onFailure: (cause) => Result.fail(toFailure(cause, call.tool.name, piece.name))
    }
  )

/** Code that returns a promise instead of an Effect fails; the promise may still be rejected later. */
const onlyEffect = <A extends Effect.Effect<unknown, unknown, unknown>>(effect: A): A => {
  if (!Effect.isEffect(effect)) handleRejections(effect)
  return effect
}

/** Closes the scope of the code, then its capabilities. Most calls have nothing to close. */
const close = (
  scope: Scope.Closeable,
  gate: CallGate.CallGate,
  exit: Exit.Exit<unknown, unknown>
): Effect.Effect<void> | undefined => {
  const closing = Scope.closeUnsafe(scope, exit)
  return closing === undefined ? gate.end() : Effect.onExitPrimitive(closing, gate.end)
}

/**
 * Runs the code in its own fiber with that context, which is emptied afterwards. Code that ends at once needs no timer.
 * Create a new effect for each run.
 */
const runWithContext = <A, R>(
  effect: Effect.Effect<A, ToolError.ToolError, R>,
  call: DecodedCall,
  { context, pauses }: { readonly context: Context.Context<R>; readonly pauses: PausableTimeout.Pauses }
): Effect.Effect<A, ToolError.ToolError> => {
  let abandonedFiber: Fiber.Fiber<A, ToolError.ToolError> | null = null
  const running = Effect.clockWith((clock) => {
    const duration: unknown = call.tool.timeoutMillis(call.parameters)
    if (typeof duration !== "number" || !(duration >= 0)) {
      handleRejections(duration)
      return Effect.fail(bug(call.tool.name, "timeoutMillis is not a number of milliseconds"))
    }
    const startedAt = clock.monotonicTimeNanosUnsafe()
    const fiber = HandlerOrigin.runInside(call.tool.name, () => Effect.runForkWith(context)(effect))
    const exit = fiber.pollUnsafe()
    if (exit !== undefined) return exit
    abandonedFiber = fiber
    const inTime = Effect.raceFirst(
      Effect.map(Fiber.join(fiber), Option.some),
      Effect.as(PausableTimeout.sleep(pauses, duration), Option.none())
    )
    return inTime.pipe(
      Effect.onExit(() => Fiber.interrupt(fiber)),
      Effect.flatMap((came) =>
        Option.isSome(came)
          ? Effect.succeed(came.value)
          : Effect.fail(
              new ToolError.Timeout({ elapsedMillis: elapsedMillis(startedAt, clock.monotonicTimeNanosUnsafe()) })
            )
      )
    )
  })
  // The first synchronous part of the code may interrupt its caller before the caller waits for it.
  return Effect.onExitPrimitive(running, () => (abandonedFiber === null ? undefined : Fiber.interrupt(abandonedFiber)))
}

/** Returns the whole milliseconds between two readings of the monotonic clock. */
export const elapsedMillis = (fromNanos: bigint, toNanos: bigint): number => Number((toNanos - fromNanos) / 1_000_000n)

/** An interruption of the dispatcher itself does not reach this point, because its fiber skips it while unwinding. */
const toFailure = (cause: Cause.Cause<unknown>, tool: string, piece?: string): Failure =>
  Result.getOrElse(
    Result.try(() => read(cause, tool, piece)),
    () => ({ error: bug(tool, "it failed with an error that cannot be read"), isReported: false })
  )

const read = (cause: Cause.Cause<unknown>, tool: string, piece: string | undefined): Failure => {
  for (const reason of cause.reasons) {
    if (!Cause.isInterruptReason(reason)) handleRejections(Cause.isFailReason(reason) ? reason.error : reason.defect)
  }
  const failure = cause.reasons.find(Cause.isFailReason)
  const toolError = failure === undefined ? null : Tool.toToolError(failure.error)
  return toolError === null
    ? { error: bug(tool, `${piece === undefined ? "" : `${piece}: `}${faultOf(cause, failure)}`), isReported: false }
    : { error: toolError, isReported: true }
}

const faultOf = (cause: Cause.Cause<unknown>, failure: Cause.Fail<unknown> | undefined): string => {
  if (failure !== undefined) {
    return `it failed with something other than a ToolError: ${describeThrown(failure.error)}; map it to one of the four`
  }
  const defect = cause.reasons.find(Cause.isDieReason)
  if (defect === undefined) return "it interrupted itself"
  const thrown = describeThrown(defect.defect)
  const [, returned] = /Not a valid effect: (.{1,60})/u.exec(thrown) ?? []
  return returned === undefined
    ? thrown
    : `it returned ${returned} and no Effect; declare a tool of async functions with Tool.fromAsync`
}

/** An error that shows a bug of the tool. */
export const bug = (tool: string, fault: string): ToolError.ExecutionError =>
  new ToolError.ExecutionError({
    message: `a bug in the tool ${tool}: ${fault}`,
    hint: "other arguments may avoid it; tell the author of the tool"
  })

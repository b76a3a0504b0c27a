/** Tools without Effect: the whole contract in async functions, with capabilities as Promise APIs, by name. */
import { type Approval, type Tier, ToolError } from "@bough/protocol"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Capability from "./Capability.ts"
import * as Tool from "./Declaration.ts"
import { isToolError } from "./Failure.ts"
import * as ForeignSchema from "./ForeignSchema.ts"
import { Invocation } from "./Invocation.ts"
import { Progress } from "./Progress.ts"

/** A service whose Effect methods return Promises. */
export type Promised<S> = {
  readonly [M in keyof S]: S[M] extends (...args: infer A) => Effect.Effect<infer T, infer _E>
    ? (...args: A) => Promise<T>
    : S[M]
}

interface Around {
  /** Aborted on timeout and interruption. */
  readonly signal: AbortSignal
  readonly invocation: Invocation["Service"]
}

/** The second argument of a handler: the declared capabilities by name, and the parts that every handler gets. */
export type AsyncContext<Keys extends ReadonlyArray<Capability.Any>> = {
  readonly [K in Keys[number] as Capability.Short<K["key"]>]: Promised<K["Service"]>
} & Around & {
    /** Reports one line of progress to the channel. */
    readonly progress: (message: string) => void
  }

/** The same for what looks before a call is made: of the declared capabilities those that only read. */
export type AsyncReads<Keys extends ReadonlyArray<Capability.Any>> = {
  readonly [K in Extract<Keys[number], { readonly floor: "ReadOnly" }> as Capability.Short<K["key"]>]: Promised<
    K["Service"]
  >
} & {
  readonly [
    K in Exclude<Keys[number], { readonly floor: "ReadOnly" }> as Capability.Short<K["key"]>
  ]: `${Capability.Short<K["key"]>} is for execute: what looks at a call may use declared capabilities that only read`
} & Around

type Awaitable<A> = A | PromiseLike<A>

/** A tool of async functions. A generator yields lines of progress and returns the result. */
export interface AsyncHandlers<
  P extends ForeignSchema.AnySchema,
  O extends ForeignSchema.AnySchema,
  Keys extends ReadonlyArray<Capability.Any>
> {
  /** May raise the tier of one call. */
  readonly classify?: (parameters: ForeignSchema.TypeOf<P>, context: AsyncReads<Keys>) => Awaitable<Tool.Classification>
  /** Makes the text that a user sees before an approval, and the facts that it relies on. */
  readonly preview?: (parameters: ForeignSchema.TypeOf<P>, context: AsyncReads<Keys>) => Awaitable<Approval.Preview>
  /** Idempotent tools only: the result, if the world already shows this call's effect after an interruption, else null. */
  readonly findExisting?: (
    parameters: ForeignSchema.TypeOf<P>,
    context: AsyncReads<Keys>
  ) => Awaitable<Tool.ToolResult<ForeignSchema.ReturnedOf<O>> | null>
  readonly execute: (
    parameters: ForeignSchema.TypeOf<P>,
    context: AsyncContext<Keys>
  ) =>
    | Promise<Tool.ToolResult<ForeignSchema.ReturnedOf<O>>>
    | AsyncGenerator<string, Tool.ToolResult<ForeignSchema.ReturnedOf<O>>, void>
}

/** The facts of `Tool.make`, with schemas of any library. */
export type AsyncFacts<
  P extends ForeignSchema.AnySchema,
  O extends ForeignSchema.AnySchema,
  Keys extends ReadonlyArray<Capability.Any>,
  T extends Tier.Tier
> = Omit<
  Tool.Facts<ForeignSchema.ParametersCodec<P>, ForeignSchema.OutputCodec<O>, Keys, T>,
  "parameters" | "output"
> & {
  /** An object of Effect's Schema, of a Standard Schema such as zod's, or JSON Schema. Unknown keys are refused. */
  readonly parameters: P
  readonly output: O
}

/**
 * Declares a tool of async functions, with the checks and the contract of `Tool.make`.
 *
 * - the second argument holds the declared capabilities by name, `signal`, `invocation` and `progress`
 * - what it asks of a capability ends with it: still running, it is interrupted; asked later, it is refused
 * - a rejection with one of the four ToolErrors is that error; any other is an ExecutionError with its message
 */
export const fromAsync = <
  const Name extends string,
  P extends ForeignSchema.AnySchema,
  O extends ForeignSchema.AnySchema,
  const Keys extends ReadonlyArray<Capability.Any>,
  const T extends Tier.Tier = Tier.Tier
>(
  name: Name,
  options: AsyncFacts<P, O, Keys, T> & AsyncHandlers<P, O, Keys>
): Tool.Tool<Name, ForeignSchema.ParametersCodec<P>, ForeignSchema.OutputCodec<O>, Capability.Of<Keys>, T> => {
  const { capabilities, classify, execute, preview, findExisting } = options
  // `fromParts` says what is wrong with a list that is none.
  const reads = Array.isArray(capabilities) ? capabilities.filter((one) => one?.floor === "ReadOnly") : []
  const look = <A>(handler: ((parameters: never, context: never) => Awaitable<A>) | undefined) =>
    handler === undefined
      ? undefined
      : (parameters: unknown) =>
          calling(reads, (context) => Promise.resolve(handler(parameters as never, context as never)))
  const looks = { classify: look(classify), preview: look(preview), findExisting: look(findExisting) }
  return Tool.fromParts(
    name,
    { ...options, ...codecsOf(name, options) } as never,
    {
      ...Object.fromEntries(Object.entries(looks).filter(([, handler]) => handler !== undefined)),
      execute: (parameters: unknown) =>
        calling(capabilities, (context) => finished(execute(parameters as never, context as never), context))
    } as never
  ) as never
}

const codecsOf = (
  name: string,
  { output, parameters }: { readonly parameters: ForeignSchema.AnySchema; readonly output: ForeignSchema.AnySchema }
) => ({
  parameters: codecOf(`${name}: parameters`, parameters, ForeignSchema.parameters),
  output: codecOf(`${name}: output`, output, ForeignSchema.output)
})

const codecOf = (
  what: string,
  given: ForeignSchema.AnySchema,
  make: (schema: ForeignSchema.AnySchema) => Tool.Codec
): Tool.Codec => {
  const fault = ForeignSchema.faultOf(given)
  if (fault !== null) throw new Error(`${what} ${fault}`)
  const made = Result.try(() => make(given))
  if (Result.isSuccess(made)) return made.success
  const { failure } = made
  throw failure instanceof ForeignSchema.Unusable ? new Error(`${what}: ${failure.message}`) : failure
}

type AnyContext = Around & { readonly progress: (message: string) => void }

/** A generator is driven to its end; what it yields is progress. */
const finished = (
  returned: Promise<unknown> | AsyncGenerator<unknown, unknown, void>,
  { progress, signal }: AnyContext
): Promise<unknown> => {
  if (!isGenerator(returned)) return Promise.resolve(returned)
  // Interrupted, it is not driven any further: its `finally` blocks run.
  signal.addEventListener("abort", () => void returned.return(undefined).catch(() => {}), { once: true })
  const drive = (): Promise<unknown> =>
    returned.next().then(({ done, value }) => {
      if (done === true) return value
      progress(String(value))
      return drive()
    })
  return drive()
}

const isGenerator = (value: unknown): value is AsyncGenerator<unknown, unknown, void> =>
  Predicate.hasProperty(value, Symbol.asyncIterator) && Predicate.hasProperty(value, "next")

const calling = (
  capabilities: ReadonlyArray<Capability.Any>,
  handler: (context: AnyContext) => Promise<unknown>
): Effect.Effect<unknown, ToolError.ToolError> =>
  Effect.contextWith((services: Context.Context<never>) => {
    const calls = new CapabilityCalls(services)
    return Effect.tryPromise({
      try: (signal) => handler(asyncContext(capabilities, calls, signal)),
      catch: toToolError
    }).pipe(Effect.ensuring(calls.end))
  })

/** The calls of capabilities that a handler has started and that still run. None of them outlives the handler. */
class CapabilityCalls {
  readonly services: Context.Context<never>
  readonly #running = new Set<Fiber.Fiber<unknown, unknown>>()
  #ended = false

  constructor(services: Context.Context<never>) {
    this.services = services
  }

  run(effect: Effect.Effect<unknown, unknown>): Promise<unknown> {
    if (this.#ended) return Promise.reject(new Error("the tool's call has ended: its capabilities have ended with it"))
    const fiber = Effect.runForkWith(this.services)(effect)
    this.#running.add(fiber)
    return new Promise((resolve, reject) => {
      fiber.addObserver((exit) => {
        this.#running.delete(fiber)
        if (Exit.isSuccess(exit)) resolve(exit.value)
        else reject(Cause.squash(exit.cause))
      })
    })
  }

  /** Interrupts what still runs and waits until it has released what it holds. */
  readonly end: Effect.Effect<void> = Effect.suspend(() => {
    this.#ended = true
    return Fiber.interruptAll(this.#running)
  })
}

const asyncContext = (
  capabilities: ReadonlyArray<Capability.Any>,
  calls: CapabilityCalls,
  signal: AbortSignal
): AnyContext => {
  const { services } = calls
  const progress = Context.getUnsafe(services as Context.Context<Progress>, Progress)
  const context: Record<string, unknown> = {
    signal,
    invocation: Context.getUnsafe(services as Context.Context<Invocation>, Invocation),
    progress: (message: string) => void calls.run(progress.report(message)).catch(() => {})
  }
  for (const key of capabilities) {
    context[Capability.shortName(key.key)] = promised(Context.getUnsafe(services, key as never), calls)
  }
  return context as unknown as AnyContext
}

const promised = (service: object, calls: CapabilityCalls): object =>
  new Proxy(service, {
    get: (target, name, receiver) => {
      const member: unknown = Reflect.get(target, name, receiver)
      if (typeof member !== "function") return member
      return (...args: ReadonlyArray<unknown>) => {
        const returned: unknown = Reflect.apply(member, target, args)
        return Effect.isEffect(returned) ? calls.run(returned as Effect.Effect<unknown, unknown>) : returned
      }
    }
  })

const toToolError = (cause: unknown): ToolError.ToolError =>
  isToolError(cause) ? cause : new ToolError.ExecutionError({ message: messageOf(cause) })

/** A thrown value may be anything, also one that cannot be written. */
const messageOf = (cause: unknown): string => {
  const message = Result.try(() => {
    if (Predicate.hasProperty(cause, "message") && typeof cause.message === "string") return cause.message
    const text = String(cause)
    return text === "[object Object]" ? `it threw ${JSON.stringify(cause)}` : text
  })
  return Result.getOrElse(message, () => "it threw a value that cannot be written")
}

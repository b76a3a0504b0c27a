/**
 * Tools of async functions whose schemas are already Effect's. It does not load the adapters for schemas of other
 * libraries.
 */
import { ToolError } from "@bough/protocol"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Capability from "../Capability.ts"
import * as Tool from "../Declaration.ts"
import { isToolError } from "../Failure.ts"
import * as HandlerOrigin from "../HandlerOrigin.ts"
import { Invocation } from "../Invocation.ts"
import { Progress } from "../Progress.ts"

type Handler<A> = (parameters: never, context: never) => A | PromiseLike<A>

interface Handlers {
  readonly capabilities: ReadonlyArray<Capability.Any>
  readonly classify?: Handler<unknown>
  readonly preview?: Handler<unknown>
  readonly findExisting?: Handler<unknown>
  readonly execute: (parameters: never, context: never) => Promise<unknown> | AsyncGenerator<unknown, unknown, void>
}

/** Declares a tool from these facts and functions. `fromAsync` and `fromFunction` add the types. */
export const fromHandlers = (name: string, options: Handlers): Tool.Any => {
  const { capabilities, classify, execute, preview, findExisting } = options
  // `fromParts` reports a capability list that is not a list.
  const declared = Array.isArray(capabilities) ? capabilities : []
  const reads = declared.filter((one) => one?.floor === "ReadOnly")
  const withheld = declared.filter((one) => one?.floor !== undefined && one.floor !== "ReadOnly")
  const look = <A>(handler: Handler<A> | undefined) =>
    handler === undefined
      ? undefined
      : (parameters: unknown) =>
          callWith(name, reads, (context) =>
            Promise.try(() => handler(parameters as never, refuseWithheld(withheld, context) as never))
          )
  const looks = { classify: look(classify), preview: look(preview), findExisting: look(findExisting) }
  return Tool.fromParts(
    name,
    options as never,
    {
      ...Object.fromEntries(Object.entries(looks).filter(([, handler]) => handler !== undefined)),
      execute: (parameters: unknown) =>
        callWith(name, capabilities, (context) => runToEnd(execute(parameters as never, context as never), context))
    } as never
  ) as never
}

/** Names in its error what a preview may not use. Types say the same; authors of JavaScript have none. */
const refuseWithheld = (withheld: ReadonlyArray<Capability.Any>, context: AnyContext): AnyContext => {
  for (const { key } of withheld) {
    const name = Capability.shortName(key)
    Object.defineProperty(context, name, {
      get: () => {
        throw new TypeError(
          `${name} can change something, so only execute may use it; declare a capability with the floor ReadOnly for classify, preview and findExisting`
        )
      }
    })
  }
  return context
}

interface AnyContext {
  readonly signal: AbortSignal
  readonly invocation: Invocation["Service"]
  readonly progress: (message: string, percent?: number) => void
}

/** Runs a generator to its end; the values that it yields are progress. */
const runToEnd = (
  returned: Promise<unknown> | AsyncGenerator<unknown, unknown, void>,
  { progress, signal }: AnyContext
): Promise<unknown> => {
  if (!isGenerator(returned)) return Promise.resolve(returned)
  const close = (): void => void Promise.try(() => returned.return(undefined)).catch(() => {})
  // After an interruption the generator is not driven any further, and its `finally` blocks run.
  signal.addEventListener("abort", close, { once: true })
  return drive(returned, { progress, signal }).catch((cause: unknown) => {
    close()
    throw cause
  })
}

/** After this time, a generator that never waits yields to timers and other sessions. */
const maxTurnMillis = 10

const drive = (
  generator: AsyncGenerator<unknown, unknown, void>,
  { progress, signal }: Pick<AnyContext, "progress" | "signal">
): Promise<unknown> => {
  let turnedAt = performance.now()
  const { promise, reject, resolve } = Promise.withResolvers<unknown>()
  // Each step is a separate promise, because a chain of promises would grow with every line.
  const next = (): void => {
    Promise.try(() => generator.next())
      .then(take)
      .catch(reject)
  }
  const take = (step: unknown): void => {
    if (step === null || typeof step !== "object")
      throw new TypeError("its generator is not a generator: next() returned no step")
    const { done, value } = step as IteratorResult<unknown, unknown>
    if (done === true || signal.aborted) return resolve(value)
    progress(String(value))
    if (performance.now() - turnedAt < maxTurnMillis) return next()
    Effect.runFork(
      Effect.andThen(
        Effect.yieldNow,
        Effect.sync(() => {
          turnedAt = performance.now()
          next()
        })
      )
    )
  }
  next()
  return promise
}

const isGenerator = (value: unknown): value is AsyncGenerator<unknown, unknown, void> =>
  Predicate.hasProperty(value, Symbol.asyncIterator) && Predicate.hasProperty(value, "next")

const callWith = (
  name: string,
  capabilities: ReadonlyArray<Capability.Any>,
  handler: (context: AnyContext) => Promise<unknown>
): Effect.Effect<unknown, ToolError.ToolError> =>
  Effect.contextWith((services: Context.Context<never>) => {
    const calls = new CapabilityCalls(services)
    return Effect.tryPromise({
      try: (signal) =>
        HandlerOrigin.runInside(name, () => handler(asyncContext(capabilities, calls, signalWithin(name, signal)))),
      catch: toToolError
    }).pipe(Effect.ensuring(calls.end))
  })

/** Returns a signal that follows the given one, and whose listeners run as code of the tool. */
const signalWithin = (name: string, signal: AbortSignal): AbortSignal => {
  const controller = new AbortController()
  signal.addEventListener("abort", () => HandlerOrigin.runInside(name, () => controller.abort(signal.reason)), {
    once: true
  })
  return controller.signal
}

/** The capability calls of a handler that are still running. They are interrupted when the handler ends. */
class CapabilityCalls {
  readonly services: Context.Context<never>
  readonly #running = new Set<Fiber.Fiber<unknown, unknown>>()
  #ended = false

  constructor(services: Context.Context<never>) {
    this.services = services
  }

  run(effect: Effect.Effect<unknown, unknown>): Promise<unknown> {
    if (this.#ended) return Promise.reject(new Error("the tool's call has ended: its capabilities have ended with it"))
    const fiber = HandlerOrigin.runOutside(() => Effect.runForkWith(this.services)(effect))
    this.#running.add(fiber)
    return new Promise((resolve, reject) => {
      fiber.addObserver((exit) => {
        this.#running.delete(fiber)
        if (Exit.isSuccess(exit)) resolve(exit.value)
        else reject(Cause.squash(exit.cause))
      })
    })
  }

  /** Interrupts the calls that are still running, and waits until they have released their resources. */
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
    progress: (message: string, percent?: number) => void calls.run(progress.report(message, percent)).catch(() => {})
  }
  for (const key of capabilities) {
    context[Capability.shortName(key.key)] = toPromises(Context.getUnsafe(services, key as never), calls)
  }
  return context as unknown as AnyContext
}

/** A service without members, such as a text, stays as it is. */
const toPromises = (service: unknown, calls: CapabilityCalls): unknown =>
  !Predicate.isObjectKeyword(service)
    ? service
    : new Proxy(service, {
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

/** Returns the message of a thrown value, which may be of any type and even impossible to print. */
const messageOf = (cause: unknown): string => {
  const message = Result.try(() => {
    if (Predicate.hasProperty(cause, "message") && typeof cause.message === "string") return cause.message
    if (typeof cause === "string" && cause !== "") return cause
    const text = String(cause)
    return `it threw ${text === "[object Object]" ? JSON.stringify(cause) : text || "an empty text"}`
  })
  return Result.getOrElse(message, () => "it threw a value that cannot be written")
}

/** Tools without Effect: capabilities arrive as Promise APIs, by name, beside an AbortSignal. */
import { type Tier, ToolError } from "@bough/protocol"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Predicate from "effect/Predicate"
import * as Capability from "./Capability.ts"
import { Invocation } from "./Invocation.ts"
import * as Tool from "./Declaration.ts"
import { isToolError } from "./Failure.ts"

/** A service whose Effect methods return Promises. */
export type Promised<S> = {
  readonly [M in keyof S]: S[M] extends (...args: infer A) => Effect.Effect<infer T, infer _E>
    ? (...args: A) => Promise<T>
    : S[M]
}

export type AsyncContext<Keys extends ReadonlyArray<Capability.Any>> = {
  readonly [K in Keys[number] as Capability.Short<K["key"]>]: Promised<K["Service"]>
} & { readonly signal: AbortSignal; readonly invocation: Invocation["Service"] }

/**
 * Declares a tool whose handler is an async function.
 *
 * - the second argument holds the declared capabilities by name, `signal` (aborted on timeout and interruption) and `invocation`
 * - what it asks of a capability ends with it: still running, it is interrupted; asked later, it is refused
 * - a rejection with one of the four ToolErrors is that error; any other is an ExecutionError with its message
 */
export const fromAsync = <
  const Name extends string,
  P extends Tool.Codec,
  O extends Tool.Codec,
  const Keys extends ReadonlyArray<Capability.Any>,
  const T extends Tier.Tier = Tier.Tier
>(
  name: Name,
  options: Tool.Facts<P, O, Keys, T> & {
    readonly execute: (parameters: P["Type"], context: AsyncContext<Keys>) => Promise<Tool.ToolResult<O["Type"]>>
  }
): Tool.Tool<Name, P, O, Capability.Of<Keys>, T> =>
  Tool.fromParts(name, options as never, {
    execute: (parameters) =>
      Effect.contextWith((services: Context.Context<never>) => {
        const calls = new CapabilityCalls(services)
        return Effect.tryPromise({
          try: (signal) => options.execute(parameters, asyncContext(options.capabilities, calls, signal)),
          catch: toToolError
        }).pipe(Effect.ensuring(calls.end))
      })
  })

/** What a handler has asked of its capabilities and that still runs. None of it outlives the handler. */
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

const asyncContext = <Keys extends ReadonlyArray<Capability.Any>>(
  capabilities: Keys,
  calls: CapabilityCalls,
  signal: AbortSignal
): AsyncContext<Keys> => {
  const { services } = calls
  const context: Record<string, unknown> = {
    signal,
    invocation: Context.getUnsafe(services as Context.Context<Invocation>, Invocation)
  }
  for (const key of capabilities) {
    context[Capability.shortName(key.key)] = promised(Context.getUnsafe(services, key as never), calls)
  }
  return context as AsyncContext<Keys>
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

const messageOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "message") && typeof cause.message === "string" ? cause.message : String(cause)

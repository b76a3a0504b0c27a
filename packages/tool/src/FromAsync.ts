/** Tools without Effect: capabilities arrive as Promise APIs, by name, beside an AbortSignal. */
import { ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
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
 * - a rejection with one of the four ToolErrors is that error; any other is an ExecutionError with its message
 */
export const fromAsync = <
  const Name extends string,
  P extends Tool.Codec,
  O extends Tool.Codec,
  const Keys extends ReadonlyArray<Capability.Any>
>(
  name: Name,
  options: Tool.Facts<P, O, Keys> & {
    readonly execute: (parameters: P["Type"], context: AsyncContext<Keys>) => Promise<Tool.ToolResult<O["Type"]>>
  }
): Tool.Tool<Name, P, O, Capability.Of<Keys>> =>
  Tool.fromParts(name, options, {
    execute: (parameters) =>
      Effect.contextWith((services: Context.Context<never>) =>
        Effect.tryPromise({
          try: (signal) => options.execute(parameters, asyncContext(options.capabilities, services, signal)),
          catch: toToolError
        })
      )
  })

const asyncContext = <Keys extends ReadonlyArray<Capability.Any>>(
  capabilities: Keys,
  services: Context.Context<never>,
  signal: AbortSignal
): AsyncContext<Keys> => {
  const context: Record<string, unknown> = {
    signal,
    invocation: Context.getUnsafe(services as Context.Context<Invocation>, Invocation)
  }
  for (const key of capabilities) {
    context[Capability.shortName(key.key)] = promised(Context.getUnsafe(services, key as never), services, signal)
  }
  return context as AsyncContext<Keys>
}

const promised = (service: object, services: Context.Context<never>, signal: AbortSignal): object =>
  new Proxy(service, {
    get: (target, name, receiver) => {
      const member: unknown = Reflect.get(target, name, receiver)
      if (typeof member !== "function") return member
      return (...args: ReadonlyArray<unknown>) => {
        const returned: unknown = Reflect.apply(member, target, args)
        return Effect.isEffect(returned)
          ? Effect.runPromiseWith(services)(returned as Effect.Effect<unknown, unknown>, { signal })
          : returned
      }
    }
  })

const toToolError = (cause: unknown): ToolError.ToolError =>
  isToolError(cause) ? cause : new ToolError.ExecutionError({ message: messageOf(cause) })

const messageOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "message") && typeof cause.message === "string" ? cause.message : String(cause)

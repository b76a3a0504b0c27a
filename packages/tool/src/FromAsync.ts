/** Tools without Effect: the whole contract in async functions, with capabilities as Promise APIs, by name. */
import type { Approval, Tier } from "@bough/protocol"
import type * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Capability from "./Capability.ts"
import type * as Tool from "./Declaration.ts"
import * as ForeignSchema from "./ForeignSchema.ts"
import { fromHandlers } from "./internal/fromHandlers.ts"
import type { Invocation } from "./Invocation.ts"

/** A service whose Effect methods return Promises. */
export type PromiseService<S> = {
  readonly [M in keyof S]: S[M] extends (...args: infer A) => Effect.Effect<infer T, infer _E>
    ? (...args: A) => Promise<T>
    : S[M]
}

interface HandlerContext {
  /** Aborted on timeout and interruption. */
  readonly signal: AbortSignal
  readonly invocation: Invocation["Service"]
}

/** The second argument of a handler: the declared capabilities by name, and the parts that every handler gets. */
export type AsyncContext<Keys extends ReadonlyArray<Capability.Any>> = {
  readonly [K in Keys[number] as Capability.Short<K["key"]>]: PromiseService<K["Service"]>
} & HandlerContext & {
    /** Reports one line of progress to the channel. `percent` is the completed share, from 0 to 100. */
    readonly progress: (message: string, percent?: number) => void
  }

/** The reading capabilities among the declared ones, for code that runs before a call. */
export type AsyncReads<Keys extends ReadonlyArray<Capability.Any>> = {
  readonly [K in Extract<Keys[number], { readonly floor: "ReadOnly" }> as Capability.Short<K["key"]>]: PromiseService<
    K["Service"]
  >
} & {
  readonly [
    K in Exclude<Keys[number], { readonly floor: "ReadOnly" }> as Capability.Short<K["key"]>
  ]: `${Capability.Short<K["key"]>} is for execute: what looks at a call may use declared capabilities that only read`
} & HandlerContext

type Awaitable<A> = A | PromiseLike<A>

/** A tool of async functions. A generator yields lines of progress and returns the result. */
export interface AsyncHandlers<
  P extends ForeignSchema.AnySchema,
  O extends ForeignSchema.AnySchema,
  Keys extends ReadonlyArray<Capability.Any>
> {
  /** Returns facts of one call, which may raise its tier. */
  readonly classify?: (parameters: ForeignSchema.TypeOf<P>, context: AsyncReads<Keys>) => Awaitable<Tool.Classification>
  /** Makes the text that a user sees before an approval, and the facts that it relies on. */
  readonly preview?: (parameters: ForeignSchema.TypeOf<P>, context: AsyncReads<Keys>) => Awaitable<Approval.Preview>
  /**
   * Idempotent tools only: after an interruption, returns the result if this call's effect exists already, else null.
   */
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
  /** An object schema: Effect's Schema, a Standard Schema such as zod's, or JSON Schema. Unknown keys are refused. */
  readonly parameters: P
  readonly output: O
}

/**
 * Declares a tool of async functions, with the checks and the contract of `Tool.make`.
 *
 * - the second argument contains the declared capabilities by name, `signal`, `invocation` and `progress`
 * - uses of a capability end with the call: running uses are interrupted, later ones are refused
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
  if (typeof options !== "object" || (options as unknown) === null) {
    throw new TypeError(`${nameOf(name)}: its facts are missing, as in { description, tier, parameters, execute, … }`)
  }
  return fromHandlers(name, { ...options, ...codecsOf(name, options) }) as never
}

const codecsOf = (
  name: string,
  { output, parameters }: { readonly parameters: ForeignSchema.AnySchema; readonly output: ForeignSchema.AnySchema }
) => ({
  parameters: codecOf(`${nameOf(name)}: parameters`, parameters, ForeignSchema.parameters),
  output: codecOf(`${nameOf(name)}: output`, output, ForeignSchema.output)
})

/** A program without types may pass any value. */
const nameOf = (name: unknown): string => (typeof name === "string" ? name : `a tool named by a ${typeof name}`)

const codecOf = (
  subject: string,
  foreignSchema: ForeignSchema.AnySchema,
  make: (schema: ForeignSchema.AnySchema) => Tool.Codec
): Tool.Codec => {
  const fault = ForeignSchema.faultOf(foreignSchema)
  if (fault !== null) throw new Error(`${subject} ${fault}`)
  const converted = Result.try(() => make(foreignSchema))
  if (Result.isSuccess(converted)) return converted.success
  const { failure } = converted
  throw failure instanceof ForeignSchema.Unusable ? new Error(`${subject}: ${failure.message}`) : failure
}

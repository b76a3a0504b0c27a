/**
 * The tool contract: declaration and execution in one value, so that prompt, validation, policy and dispatch read one
 * source. An incomplete declaration does not compile: adr/0003-tool-contract.md.
 */
import type { Tier, ToolError } from "@bough/protocol"
import type * as Effect from "effect/Effect"
import type * as Capability from "./Capability.ts"
import {
  type Always,
  type Classification,
  type Codec,
  type Facts,
  type Preview,
  fromParts,
  type Tool,
  type ToolResult
} from "./Declaration.ts"

export * from "./Declaration.ts"
export type { Fact } from "./Fact.ts"
export { isToolError, isTransient, toToolError, transient } from "./Failure.ts"
export { fromAsync } from "./FromAsync.ts"
export { fromFunction, type ReturnedBy } from "./FromFunction.ts"
export { standard } from "./ForeignSchema.ts"

type TagOf<E> = E extends { readonly _tag: infer Tag extends string } ? Tag : "no ToolError"
type OnlyToolErrors<E> = [Exclude<E, ToolError.ToolError>] extends [never]
  ? unknown
  : `fails with ${TagOf<Exclude<E, ToolError.ToolError>>}: map it to one of the four ToolErrors`
type OnlyDeclared<R, Declared, Who extends string> = [Exclude<R, Declared | Always>] extends [never]
  ? unknown
  : `${Who} uses ${Capability.NamesOf<Exclude<R, Declared | Always>>}: list it in capabilities`
type OnlyReads<R, Declared, Who extends string> = [Exclude<R, Declared | Always>] extends [never]
  ? unknown
  : `${Who} uses ${Capability.NamesOf<Exclude<R, Declared | Always>>}: it may use declared capabilities that only read`

/** The handler's side of a tool. The checks use the inferred types of E and R, so they are beside them. */
export interface Handlers<
  P extends Codec,
  O extends Codec,
  Keys extends ReadonlyArray<Capability.Any>,
  E,
  R,
  RC,
  RP,
  RS
> {
  /** Returns facts of one call, which may raise its tier. */
  readonly classify?: (
    parameters: P["Type"]
  ) => Effect.Effect<Classification, ToolError.ToolError, RC & OnlyReads<RC, Capability.ReadOf<Keys>, "classify">>
  /** Makes the text that a user sees before an approval, and the facts that it relies on. */
  readonly preview?: (
    parameters: P["Type"]
  ) => Effect.Effect<Preview, ToolError.ToolError, RP & OnlyReads<RP, Capability.ReadOf<Keys>, "preview">>
  /**
   * Idempotent tools only: after an interruption, returns the result if this call's effect exists already, else null.
   * It is called if the preconditions of the first attempt no longer hold.
   */
  readonly findExisting?: (
    parameters: P["Type"]
  ) => Effect.Effect<
    ToolResult<O["Type"]> | null,
    ToolError.ToolError,
    RS & OnlyReads<RS, Capability.ReadOf<Keys>, "findExisting">
  >
  readonly execute: (
    parameters: P["Type"]
  ) => Effect.Effect<ToolResult<O["Type"]>, E & OnlyToolErrors<E>, R & OnlyDeclared<R, Capability.Of<Keys>, "execute">>
}

/**
 * Declares a tool.
 *
 * - `name`: unique, snake_case, with a verb first if there is one
 * - compilation fails for a capability that the handler uses but the declaration omits, a tier below the minimum of a
 *   capability, an error other than the four, and an output that does not match its schema
 */
export const make = <
  const Name extends string,
  P extends Codec,
  O extends Codec,
  const Keys extends ReadonlyArray<Capability.Any>,
  E,
  R,
  RC = never,
  RP = never,
  RS = never,
  const T extends Tier.Tier = Tier.Tier
>(
  name: Name,
  options: Facts<P, O, Keys, T> & Handlers<P, O, Keys, E, R, RC, RP, RS>
): Tool<Name, P, O, Capability.Of<Keys>, T> => fromParts(name, options as never, options as never)

/** Keeps the literal types of an output. */
export const result = <const Output>(value: ToolResult<Output>): ToolResult<Output> => value

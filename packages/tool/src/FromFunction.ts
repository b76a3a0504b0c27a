/**
 * Tools from documented functions, as `@bough/tool-compiler` generates them. Their types are written explicitly:
 * inferring a thousand types from Effect's schemas would take TypeScript longer than checking the rest of such a file.
 */
import type { Tier } from "@bough/protocol"
import type * as Schema from "effect/Schema"
import type * as Capability from "./CapabilityClass.ts"
import { checkArguments } from "./checkArguments.ts"
import type * as Tool from "./Declaration.ts"
import * as Expected from "./Expected.ts"
import type { AsyncContext } from "./FromAsync.ts"
import { fromHandlers } from "./internal/fromHandlers.ts"

/** The result of an async function, or of a generator that yields lines of progress. */
export type ReturnedBy<F> = F extends (...args: never) => AsyncGenerator<string, infer Result, infer _Next>
  ? Result
  : F extends (...args: never) => Promise<infer Result>
    ? Result
    : never

/** The parts of a tool that a function and its doc comment provide. */
export interface FunctionFacts<
  Arguments,
  Output,
  Keys extends ReadonlyArray<Capability.Any>,
  T extends Tier.Tier
> extends Pick<Tool.Facts<never, never, Keys, T>, "capabilities" | "description" | "replay" | "tier" | "version"> {
  /** A Struct of the arguments that decodes to `Arguments`; the tool compiler writes both from one shape. */
  readonly parameters: object
  /** A Schema of `Output`. */
  readonly output: object
  readonly forModel?: (output: Output) => string
  /** Returns the output. Exactly one of `output` and `result` is set. */
  readonly call?: (
    input: Arguments,
    context: AsyncContext<Keys>
  ) => Promise<Output> | AsyncGenerator<string, Output, void>
  /** Returns more than the output, such as the sentence for users. */
  readonly result?: (
    input: Arguments,
    context: AsyncContext<Keys>
  ) => Promise<Tool.ToolResult<Output>> | AsyncGenerator<string, Tool.ToolResult<Output>, void>
}

/** Declares a tool from a function. All type arguments are explicit; nothing is inferred. */
export const fromFunction = checkArguments(
  "fromFunction",
  [Expected.string, Expected.object("the facts of the tool, as in { description, tier, parameters, call, … }")],
  <
    Name extends string,
    Arguments,
    Output,
    Keys extends ReadonlyArray<Capability.Any>,
    T extends Tier.Tier,
    Input = Arguments
  >(
    name: Name,
    { call, result, ...facts }: FunctionFacts<Arguments, Output, Keys, T>
  ): Tool.Tool<Name, Schema.Codec<Arguments, Input>, Schema.Codec<Output>, Capability.Of<Keys>, T> => {
    const display = `${name} is done`
    return fromHandlers(name, {
      ...facts,
      execute: (input: Arguments, context: AsyncContext<Keys>) => {
        if (result !== undefined) return result(input, context)
        const returned = call?.(input, context)
        if (returned === undefined) throw new Error(`${name}: neither call nor result is declared`)
        return Symbol.asyncIterator in returned
          ? drive(returned, display)
          : returned.then((output) => ({ output, display }))
      }
    } as never) as never
  }
)

/** Wraps the generator: the function's result becomes the output of a tool's result. */
const drive = <Output>(lines: AsyncGenerator<string, Output, void>, display: string) => {
  const step = (next: IteratorResult<string, Output>) =>
    next.done === true ? { done: true, value: { output: next.value, display } } : next
  return {
    next: () => lines.next().then(step),
    return: () => lines.return(undefined as Output),
    [Symbol.asyncIterator]: () => lines
  }
}

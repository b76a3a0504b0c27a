/**
 * A predictor: a typed function whose answers come from a model. Data only: instructions, schemas, examples, tools and
 * limits. `run` and `open` ask a model; `optimise` finds better instructions and examples.
 */
import type { ToolPack } from "@bough/tool"
import type * as ForeignSchema from "@bough/tool/ForeignSchema"
import * as Result from "effect/Result"
import * as Limits from "./Limits.ts"
import * as Signature from "./Signature.ts"

export type AnySchema = ForeignSchema.AnySchema
export type AnyPack = ToolPack.Any | null

/** An input and its expected output, in the encoded form of their schemas. */
export interface Example<I extends AnySchema, O extends AnySchema> {
  readonly input: ForeignSchema.EncodedOf<I>
  readonly output: ForeignSchema.EncodedOf<O>
}

/** The JSON texts of an example. */
export interface ShownExample {
  readonly input: string
  readonly output: string
}

export interface Predictor<I extends AnySchema, O extends AnySchema, Pack extends ToolPack.Any | null> {
  readonly name: string
  readonly instructions: string
  readonly input: I
  readonly output: O
  readonly examples: ReadonlyArray<ShownExample>
  readonly tools: Pack
  readonly limits: Limits.Limits
  readonly signature: Signature.Signature
}

// oxlint-disable-next-line typescript/no-explicit-any -- predictors of every schema
export type Any = Predictor<any, any, ToolPack.Any | null>

export type InputOf<P> = P extends Predictor<infer I, infer _O, infer _Pack> ? ForeignSchema.EncodedOf<I> : never
export type OutputOf<P> = P extends Predictor<infer _I, infer O, infer _Pack> ? ForeignSchema.TypeOf<O> : never

export interface PredictorFacts<
  I extends AnySchema,
  O extends AnySchema,
  Pack extends ToolPack.Any | null = ToolPack.Any | null
> {
  /** The task of the model; the schemas describe the input and the output. */
  readonly instructions: string
  /** An Effect schema, a Standard Schema such as one of zod, or the JSON Schema of an object. */
  readonly input: I
  readonly output: O
  readonly examples?: ReadonlyArray<Example<I, O>>
  /** The tools that the model may call. They are opened with `open`, or with `openForModel` of @bough/sdk. */
  readonly tools?: Pack
  readonly limits?: Limits.Limits
}

/** Declares a predictor. It throws if the name, a limit or an example is invalid. */
export const make = <I extends AnySchema, O extends AnySchema, const Pack extends ToolPack.Any | null = null>(
  name: string,
  facts: PredictorFacts<I, O, Pack>
): Predictor<I, O, Pack> => {
  if (typeof facts !== "object" || (facts as unknown) === null) {
    throw mistake(name, "its facts are missing, as in { instructions, input, output }")
  }
  const { examples = [], input, instructions, limits = {}, output, tools } = facts
  const wrong = /^[a-z][a-z0-9_]{0,63}$/u.test(name) ? Limits.faultOf(limits) : "the name is a word in snake_case"
  if (wrong !== null) throw mistake(name, wrong)
  if (typeof instructions !== "string") throw mistake(name, 'instructions must be a text, as in "Sort the mail"')
  if (!Array.isArray(examples)) throw mistake(name, "examples must be a list, as in [{ input, output }]")
  if (instructions.trim() === "") throw mistake(name, "instructions are empty")
  if (tools !== undefined && tools !== null && Signature.resultTool in tools.tools) {
    throw mistake(
      name,
      `a tool called ${Signature.resultTool} cannot be attached: the model gives its output by that name`
    )
  }
  const signature = Result.getOrThrowWith(
    Result.try({
      try: () => Signature.make(input, output),
      catch: (cause) => mistake(name, cause instanceof Error ? cause.message : String(cause))
    }),
    (error) => error
  )
  const shown = examples.map((example, index) => {
    const written = show(signature, example)
    if (Result.isFailure(written)) throw mistake(name, `examples.${index}: ${written.failure}`)
    return written.success
  })
  const pack = (tools ?? null) as Pack
  return { name, instructions, input, output, examples: shown, tools: pack, limits, signature }
}

const mistake = (name: string, fault: string): Error => new Error(`Predictor.make(${JSON.stringify(name)}): ${fault}`)

/** Returns the JSON texts of an example. A failure names the invalid side and the reason. */
export const show = (
  { input, output }: Signature.Signature,
  example: { readonly input: unknown; readonly output: unknown }
): Result.Result<ShownExample, string> =>
  Result.flatMap(
    Result.mapError(Signature.write(input, example.input), (why) => `input: ${why}`),
    ({ json }) =>
      Result.map(
        Result.mapError(Signature.write(output, example.output), (why) => `output: ${why}`),
        (written) => ({ input: json, output: written.json })
      )
  )

/** Returns the predictor with other instructions or examples. */
export const withPrompt = <P extends Any>(
  predictor: P,
  prompt: { readonly instructions?: string; readonly examples?: ReadonlyArray<ShownExample> }
): P => ({ ...predictor, ...prompt })

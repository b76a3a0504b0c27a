/** The prompt that an optimiser found, as data that a program stores in a file and applies when it starts. */
import { checkArguments } from "@bough/tool/checkArguments"
import * as Expected from "@bough/tool/Expected"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { OptimiserResult } from "./Optimiser.ts"
import * as Predictor from "./Predictor.ts"
import { predictorArgument } from "./predictorArgument.ts"
import * as Signature from "./Signature.ts"

export const StoredPrompt = Schema.Struct({
  version: Schema.Literal(1),
  predictor: Schema.String,
  /** The digest of the input and output schemas. */
  signature: Schema.String,
  instructions: Schema.String,
  /** The examples as JSON texts. */
  examples: Schema.Array(Schema.Struct({ input: Schema.String, output: Schema.String })),
  score: Schema.Finite
})
export type StoredPrompt = typeof StoredPrompt.Type

export const fromOptimised = checkArguments(
  "StoredPrompt.fromOptimised",
  [
    Expected.object("the result of optimise(predictor, options)", {
      best: Expected.object("the best prompt"),
      predictor: predictorArgument
    })
  ],
  ({ best, predictor }: OptimiserResult<Predictor.Any>): StoredPrompt => ({
    version: 1,
    predictor: predictor.name,
    signature: predictor.signature.digest,
    instructions: best.instructions,
    examples: best.examples,
    score: best.score
  })
)

const decode = Schema.decodeUnknownResult(StoredPrompt)

/** Returns the predictor with a stored prompt. A failure is the reason why the prompt does not apply. */
export const apply = checkArguments(
  "StoredPrompt.apply",
  [predictorArgument],
  <P extends Predictor.Any>(predictor: P, stored: unknown): Result.Result<P, string> => {
    const read = decode(stored)
    if (Result.isFailure(read)) return Result.fail(`it is not a stored prompt: ${read.failure.message}`)
    const { examples, instructions, predictor: name, signature } = read.success
    const { input, output } = predictor.signature
    if (name !== predictor.name) return Result.fail(`it is the prompt of ${name}, not of ${predictor.name}`)
    const fits =
      signature === predictor.signature.digest &&
      examples.every(
        (one) =>
          Result.isSuccess(Signature.read(input, one.input)) && Result.isSuccess(Signature.read(output, one.output))
      )
    return fits
      ? Result.succeed(Predictor.withPrompt(predictor, { instructions, examples }))
      : Result.fail("it belongs to other schemas: optimise again")
  }
)

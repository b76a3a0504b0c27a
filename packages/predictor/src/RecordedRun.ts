/** Runs of a predictor as lines of JSON: input, output or failure, and cost. */
import { Usage } from "@bough/protocol"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { labelsOf } from "./Trace.ts"
import type { PredictionError } from "./PredictionError.ts"
import type { Prediction } from "./Predict.ts"
import type { Any } from "./Predictor.ts"

export const RecordedRun = Schema.Struct({
  version: Schema.Literal(1),
  predictor: Schema.String,
  /** Digest of the schemas of input and output. */
  signature: Schema.String,
  model: Schema.String,
  /** JSON texts. */
  input: Schema.String,
  /** Null: there was none. */
  output: Schema.NullOr(Schema.String),
  /** Why there is no output; null: there is one. */
  failure: Schema.NullOr(Schema.String),
  /** The labels of everything that the model read through its tools. */
  labels: Schema.Array(Schema.Literals(["untrusted", "private"])),
  usage: Usage.Usage,
  steps: Schema.Natural,
  atMillis: Schema.Natural
})
export type RecordedRun = typeof RecordedRun.Type

export interface RunFacts {
  readonly predictor: Any
  readonly model: string
  readonly input: string
  readonly atMillis: number
}

export const fromResult = (
  { atMillis, input, model, predictor }: RunFacts,
  result: Result.Result<Prediction<unknown>, PredictionError>
): RecordedRun => {
  const { trace, usage } = Result.isSuccess(result) ? result.success : result.failure
  return {
    version: 1,
    predictor: predictor.name,
    signature: predictor.signature.digest,
    model,
    input,
    output: Result.isSuccess(result) ? result.success.json : null,
    failure: Result.isSuccess(result) ? null : `${result.failure.reason}: ${result.failure.message}`,
    labels: labelsOf(trace),
    usage,
    steps: trace.length,
    atMillis
  }
}

/** Formats a run as one line of a file of runs. */
export const line = (run: RecordedRun): string => `${JSON.stringify(run)}\n`

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(RecordedRun))

/** Reads a file of runs. Lines that are not runs, such as a truncated one, are counted. */
export const readLines = (text: string): { readonly runs: ReadonlyArray<RecordedRun>; readonly skipped: number } => {
  const lines = text.split("\n").filter((one) => one.trim() !== "")
  const runs = lines.flatMap((one) => {
    const read = decode(one)
    return Result.isSuccess(read) ? [read.success] : []
  })
  return { runs, skipped: lines.length - runs.length }
}

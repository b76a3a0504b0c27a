/** Runs of a predictor as lines of JSON: input, output or failure, and cost. */
import { Usage } from "@bough/protocol"
import { checkArguments } from "@bough/tool/checkArguments"
import * as Expected from "@bough/tool/Expected"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Prediction } from "./Predict.ts"
import type { PredictionError } from "./PredictionError.ts"
import type { Any, Example, Predictor } from "./Predictor.ts"
import { predictorArgument } from "./predictorArgument.ts"
import * as Signature from "./Signature.ts"
import { labelsOf } from "./Trace.ts"

export const RecordedRun = Schema.Struct({
  version: Schema.Literal(1),
  predictor: Schema.String,
  /** The digest of the input and output schemas. */
  signature: Schema.String,
  model: Schema.String,
  /** The input as JSON text. */
  input: Schema.String,
  /** The output as JSON text; null: there was no output. */
  output: Schema.NullOr(Schema.String),
  /** The reason why there is no output; null: there is one. */
  failure: Schema.NullOr(Schema.String),
  /** The labels of all data that the model read by its tools. */
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

export const fromResult = checkArguments(
  "RecordedRun.fromResult",
  [
    Expected.object("the facts of a run, as in { predictor, model, input, atMillis }", { predictor: predictorArgument })
  ],
  (
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
)

/** Formats a run as one line of a file of runs. */
export const line = (run: RecordedRun): string => `${JSON.stringify(run)}\n`

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(RecordedRun))

/** Reads a file of runs. Lines that are not runs, such as a truncated line, are counted. */
export const readLines = checkArguments(
  "RecordedRun.readLines",
  [Expected.string],
  (text: string): { readonly runs: ReadonlyArray<RecordedRun>; readonly skipped: number } => {
    const lines = text.split("\n").filter((one) => one.trim() !== "")
    const runs = lines.flatMap((one) => {
      const read = decode(one)
      return Result.isSuccess(read) ? [read.success] : []
    })
    return { runs, skipped: lines.length - runs.length }
  }
)

/**
 * Returns the successful runs of a predictor as cases and examples, the newest run for each input. Runs for other
 * schemas are excluded. Runs that read private or untrusted data are excluded unless their labels are allowed.
 */
export const examplesOf = checkArguments(
  "RecordedRun.examplesOf",
  [predictorArgument, Expected.list("the runs of RecordedRun.readLines(text).runs")],
  <P extends Any>(
    predictor: P,
    runs: ReadonlyArray<RecordedRun>,
    allowed: RecordedRun["labels"] = []
  ): ReadonlyArray<ExampleOf<P>> => {
    const { digest, input, output } = predictor.signature
    const found = new Map<string, unknown>()
    for (const run of runs.toSorted((a, b) => a.atMillis - b.atMillis)) {
      const isOfIt = run.predictor === predictor.name && run.signature === digest
      if (!isOfIt || run.output === null || !run.labels.every((label) => allowed.includes(label))) continue
      const read = Result.all([Signature.read(input, run.input), Signature.read(output, run.output)])
      if (Result.isFailure(read)) continue
      found.set(run.input, { input: Signature.bare(input, run.input), output: Signature.bare(output, run.output) })
    }
    return [...found.values()] as ReadonlyArray<ExampleOf<P>>
  }
)

type ExampleOf<P> = P extends Predictor<infer I, infer O, infer _Pack> ? Example<I, O> : never

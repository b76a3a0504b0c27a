/** The reason why a prediction has no output, and its usage until then. */
import { Usage } from "@bough/protocol"
import * as Schema from "effect/Schema"
import { TraceStep } from "./Trace.ts"

/**
 * - `InvalidInput`: the input does not fit its schema; no model was asked
 * - `InvalidOutput`: the output did not fit its schema three times
 * - `LimitReached`: a limit was reached first
 * - `UnpricedModel`: a limit of cost is set, and the model's price is not known
 * - `ModelFailed`: the model did not answer; `hint` is an instruction for the user
 */
export const PredictionFailure = Schema.Literals([
  "InvalidInput",
  "InvalidOutput",
  "LimitReached",
  "UnpricedModel",
  "ModelFailed"
])
export type PredictionFailure = typeof PredictionFailure.Type

export class PredictionError extends Schema.TaggedError<PredictionError>()("PredictionError", {
  predictor: Schema.String,
  reason: PredictionFailure,
  message: Schema.String,
  hint: Schema.String,
  usage: Usage.Usage,
  trace: Schema.Array(TraceStep)
}) {}

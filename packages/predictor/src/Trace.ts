/** The steps of a prediction: the model's replies, and the calls that the replies requested, each with its receipt. */
import { Receipt, Session, Usage } from "@bough/protocol"
import { checkArguments } from "@bough/tool/checkArguments"
import * as Expected from "@bough/tool/Expected"
import * as Schema from "effect/Schema"

export const TracedCall = Schema.Struct({
  toolCallId: Schema.String,
  name: Schema.String,
  /** The arguments exactly as the model wrote them. */
  arguments: Schema.String,
  status: Schema.Literals(["succeeded", "failed", "rejected", "notRun"]),
  /** The text that the model read. */
  text: Schema.String,
  /** The receipt; null: no code of the tool ran. */
  receipt: Schema.NullOr(Receipt.Receipt),
  labels: Schema.Array(Schema.Literals(["untrusted", "private"])),
  elapsedMillis: Schema.Finite
})
export type TracedCall = typeof TracedCall.Type

export const TraceStep = Schema.Struct({
  /** The text of the reply besides its calls. */
  text: Schema.String,
  usage: Usage.Usage,
  elapsedMillis: Schema.Finite,
  calls: Schema.Array(TracedCall)
})
export type TraceStep = typeof TraceStep.Type

/** The labels that the calls added. */
export const labelsOf = checkArguments(
  "Trace.labelsOf",
  [Expected.list("the trace of a prediction, as in prediction.trace")],
  (trace: ReadonlyArray<TraceStep>): ReadonlyArray<Session.Label> => [
    ...new Set(trace.flatMap(({ calls }) => calls.flatMap(({ labels }) => labels)))
  ]
)

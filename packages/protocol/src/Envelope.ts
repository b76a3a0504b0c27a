/** A call's result on the wire: `bough call` prints it, and `@bough/sdk` returns it. */
import * as Schema from "effect/Schema"
import { Artifact } from "./Artifact.ts"
import { Media } from "./Message.ts"
import { ToolErrorData } from "./ToolError.ts"

export const Envelope = Schema.Union([
  Schema.Struct({
    status: Schema.Literal("success"),
    toolCallId: Schema.String,
    result: Schema.Struct({
      output: Schema.Unknown,
      display: Schema.String,
      details: Schema.optionalKey(Schema.String),
      artifacts: Schema.Array(Artifact),
      media: Schema.optionalKey(Schema.Array(Media))
    }),
    executionTimeMillis: Schema.Finite
  }),
  Schema.Struct({
    status: Schema.Literal("error"),
    toolCallId: Schema.String,
    error: ToolErrorData,
    executionTimeMillis: Schema.Finite
  }),
  Schema.Struct({
    status: Schema.Literal("rejected"),
    toolCallId: Schema.String,
    reason: Schema.String,
    userMessage: Schema.optionalKey(Schema.String),
    executionTimeMillis: Schema.Finite
  })
])
export type Envelope = typeof Envelope.Type

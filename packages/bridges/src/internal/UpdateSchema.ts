/** The schema of CrossedUpdate, for frameworks that check the results of tools. */
import * as Schema from "effect/Schema"

const Running = Schema.Struct({ status: Schema.Literal("running"), progress: Schema.String })

const Success = Schema.Struct({
  status: Schema.Literal("success"),
  output: Schema.Json,
  text: Schema.String,
  display: Schema.String,
  details: Schema.optionalKey(Schema.String),
  media: Schema.Array(Schema.Struct({ mediaType: Schema.String, data: Schema.String }))
})

export const UpdateSchema = Schema.Union([Running, Success])

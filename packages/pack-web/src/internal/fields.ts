/** Parameters that several tools share. Descriptions are short, because they are sent with every request. */
import { ToolSchema } from "@bough/tool"
import * as Schema from "effect/Schema"

export const url = Schema.NonEmptyString.annotate({ description: "http or https" })

export const headers = ToolSchema.withDefault(
  Schema.Record(Schema.String, Schema.String).annotate({ description: "Request headers" }),
  {}
)

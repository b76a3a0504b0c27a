/** Parameters that several tools share. Descriptions are short, because they are sent with every request. */
import { ToolSchema } from "@bough/tool"
import * as Schema from "effect/Schema"

export const revision = Schema.NonEmptyString.annotate({ description: "Commit, branch or tag" })

export const paths = ToolSchema.withDefault(
  Schema.Array(Schema.NonEmptyString).annotate({ description: "Only these files and directories" }),
  []
)

export const limit = (value: number, max: number) =>
  ToolSchema.withDefault(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: max })), value)

export const flag = (description: string) => ToolSchema.withDefault(Schema.Boolean.annotate({ description }), false)

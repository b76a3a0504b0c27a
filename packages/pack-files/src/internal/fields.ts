/** Parameters that several tools share. Descriptions are short, because they are sent with every request. */
import { ToolSchema } from "@bough/tool"
import * as Schema from "effect/Schema"

export const path = Schema.NonEmptyString

export const directory = ToolSchema.withDefault(Schema.NonEmptyString.annotate({ description: "Directory" }), ".")

export const limit = (value: number, max: number) =>
  ToolSchema.withDefault(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: max })), value)

/** The commit whose files are read instead of the workspace's. */
export const commit = Schema.optionalKey(Schema.String)

/** Makes a flag; it needs no description if its name says enough. */
export const flag = (description?: string) =>
  ToolSchema.withDefault(description === undefined ? Schema.Boolean : Schema.Boolean.annotate({ description }), false)

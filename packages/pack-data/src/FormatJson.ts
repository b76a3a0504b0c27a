/** `format_json`: formats a value or a JSON text. Numbers in a text keep their spelling. */
import { Tool, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as JsonText from "./internal/jsonText.ts"
import { mistake } from "./internal/mistake.ts"

const oneOf = "give exactly one of value and text"

const Parameters = Schema.Struct({
  value: Schema.optionalKey(Schema.Json.annotate({ description: "Any JSON value" })),
  text: Schema.optionalKey(Schema.String.annotate({ description: "Instead: JSON text" })),
  indent: ToolSchema.withDefault(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8 })).annotate({ description: "Spaces; 0: on one line" }),
    2
  )
}).check(Schema.makeFilter(({ text, value }) => ((text === undefined) === (value === undefined) ? oneOf : undefined)))

export const FormatJson = Tool.make("format_json", {
  version: 1,
  description: "Write JSON with or without indentation",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [],
  parameters: Parameters,
  output: Schema.Struct({ text: Schema.String }),
  forModel: ({ text }) => text,
  execute: Effect.fnUntraced(function* ({ indent, text, value }) {
    const parsed = text === undefined ? value : yield* JsonText.read(text, (_, source) => JsonText.rawJson(source))
    // Programs can call handlers without decoding the arguments.
    if (parsed === undefined) return yield* mistake("value", oneOf)
    const formatted = JSON.stringify(parsed, null, indent)
    return Tool.result({ output: { text: formatted }, display: `Formatted ${formatted.length} characters of JSON` })
  })
})

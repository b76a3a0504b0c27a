/** `parse_json`: parses a JSON text, and returns its value or the part that a pointer names. */
import { Tool, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as JsonText from "./internal/jsonText.ts"
import { mistake } from "./internal/mistake.ts"
import * as Pointer from "./internal/pointer.ts"

export const ParseJson = Tool.make("parse_json", {
  version: 1,
  description: "Parse JSON and return a value in it",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [],
  parameters: Schema.Struct({
    text: Schema.String,
    pointer: ToolSchema.withDefault(
      Schema.String.annotate({ description: 'JSON Pointer such as /items/0/name; "": the whole' }),
      ""
    )
  }),
  /** `inexact`: the text has an integer that a double cannot represent exactly. */
  output: Schema.Struct({ value: Schema.Json, inexact: Schema.optionalKey(Schema.Boolean) }),
  forModel: ({ inexact, value }) =>
    `${JSON.stringify(value)}${inexact === true ? "\n[an integer of the text is larger than a number here holds exactly]" : ""}`,
  execute: Effect.fnUntraced(function* ({ pointer, text }) {
    let inexact = false
    const document = yield* JsonText.read(text, (value, source) => {
      inexact ||= /^-?\d+$/.test(source) && !Number.isSafeInteger(value)
      return value
    })
    const found = Pointer.follow(document, pointer)
    if (Result.isFailure(found)) return yield* mistake("pointer", found.failure)
    return Tool.result({
      output: { value: found.success, ...(inexact ? { inexact } : {}) },
      display: pointer === "" ? "Parsed JSON" : `Parsed JSON, took ${pointer}`
    })
  })
})

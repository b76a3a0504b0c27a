/** A call in a rule's own words, as the examples of rules say it: `write_file path=src/a.ts content="x = 1"`. */
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as FieldText from "./FieldText.ts"
import { isToolName, print } from "./Rule.ts"

export interface Call {
  readonly tool: string
  readonly arguments: Readonly<Record<string, Schema.Json>>
}

/** Fails with what the text does wrong, as the rest of a sentence. */
export const parse = (text: string): Result.Result<Call, string> => {
  const [tool, rest] = FieldText.word(text.trim())
  if (!isToolName(tool)) return Result.fail(tool === "" ? "is empty" : `names "${tool}", which cannot be a tool's name`)
  return Result.flatMap(FieldText.parse(rest), (fields) => {
    const dotted = fields.find(({ name }) => name.includes("."))
    return dotted === undefined
      ? Result.succeed({ tool, arguments: Object.fromEntries(fields.map(({ name, value }) => [name, value])) })
      : Result.fail(`names a part, "${dotted.name}", where a call gives the whole argument as JSON`)
  })
}

/** The text that `parse` reads back as this call; null: it cannot be written so. */
export const printed = (call: Call): string | null => {
  const fields = Object.entries(call.arguments).map(([name, value]) => ({ name, value }))
  const text = print({ effect: "allow", tool: call.tool, fields })
  const again = parse(text)
  return Result.isSuccess(again) && JSON.stringify(again.success) === JSON.stringify(call) ? text : null
}

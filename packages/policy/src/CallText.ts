/** A call in the syntax of a rule, as examples of rules write it: `write_file path=src/a.ts content="x = 1"`. */
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as FieldText from "./FieldText.ts"
import { isToolName, print } from "./Rule.ts"

export interface Call {
  readonly tool: string
  readonly arguments: Readonly<Record<string, Schema.Json>>
}

/** Parses the text; fails with the fault as the rest of a sentence. */
export const parse = (text: string): Result.Result<Call, string> => {
  const [tool, rest] = FieldText.word(text.trim())
  if (!isToolName(tool)) return Result.fail(tool === "" ? "is empty" : `names "${tool}", which cannot be a tool's name`)
  return Result.flatMap(FieldText.parse(rest), (fields) => {
    const dotted = fields.find(({ name }) => name.includes("."))
    return dotted === undefined
      ? Result.succeed({ tool, arguments: Object.fromEntries(fields.map(({ name, value }) => [name, value])) })
      : Result.fail(`names a part, "${dotted.name}", but the call has the whole argument as JSON`)
  })
}

/** Returns the text that `parse` reads back as this call; null: there is no such text. */
export const formatCall = (call: Call): string | null => {
  const fields = Object.entries(call.arguments).map(([name, value]) => ({ name, value }))
  const text = print({ effect: "allow", tool: call.tool, fields })
  const again = parse(text)
  return Result.isSuccess(again) && JSON.stringify(again.success) === JSON.stringify(call) ? text : null
}

/** The rules that need no run: schemas, their exports, and arguments that must be refused. */
import * as Equal from "effect/Equal"
import * as Result from "effect/Result"
import { isDeepStrictEqual } from "node:util"
import * as ToolSchema from "../../ToolSchema.ts"
import * as Codecs from "./Codecs.ts"
import { refuse, type TestedTool } from "./Subject.ts"
import * as WrongArguments from "./WrongArguments.ts"

const hasJsonForm = (value: unknown): boolean =>
  Result.getOrElse(
    Result.try(() => isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value)),
    () => false
  )

/**
 * Checks that schemas derive in both drafts, that samples survive decoding and encoding, and that every format accepts
 * the tool.
 */
export const schemas = ({ formats, samples, tool }: TestedTool): void => {
  if (tool.description.trim() === "") refuse(tool, "its description is empty: say what it does in one sentence")
  for (const draft of ["2020-12", "draft-07"] as const) {
    for (const [subject, schema] of [
      ["parameters", ToolSchema.parameters(tool, draft)],
      ["output", ToolSchema.output(tool, draft)]
    ] as const) {
      if (!hasJsonForm(schema))
        refuse(tool, `JSON Schema of its ${subject} is not JSON in ${draft}: state it with plain values`)
    }
  }
  for (const sample of samples) {
    const first = Codecs.parametersOf(tool, sample)
    const encoded = Codecs.encodeParameters(tool, first)
    if (Result.isFailure(encoded))
      return refuse(tool, `a decoded sample does not encode: ${Codecs.describe(encoded.failure)}`)
    const again = Codecs.decodeParameters(tool, encoded.success)
    if (Result.isFailure(again) || !(isDeepStrictEqual(again.success, first) || Equal.equals(again.success, first))) {
      refuse(tool, "its parameters change on the way through JSON: decoding and encoding must be inverse")
    }
  }
  for (const [name, format] of Object.entries(formats)) {
    const text = JSON.stringify(format([tool])) ?? ""
    if (!text.includes(tool.name)) refuse(tool, `the format ${name} does not name it`)
  }
}

/** Checks that arguments that the JSON Schema forbids are refused, and that the error names the field. */
export const wrongArguments = ({ samples, tool }: TestedTool): void => {
  const schema = ToolSchema.parameters(tool)
  for (const sample of samples) {
    for (const { change, field, value } of WrongArguments.from(schema, sample)) {
      const decoded = Codecs.decodeParameters(tool, value)
      if (Result.isSuccess(decoded)) {
        refuse(tool, `the argument ${field} ${change}, which its JSON Schema forbids, and is taken`)
      } else if (!decoded.failure.some(({ path }) => path === field || path.startsWith(`${field}.`))) {
        refuse(
          tool,
          `the argument ${field} ${change}, and the error does not name it: ${Codecs.describe(decoded.failure)}`
        )
      }
    }
  }
}

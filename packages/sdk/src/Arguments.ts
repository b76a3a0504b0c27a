/** Encodes a program's arguments as the JSON that a dispatcher reads. */
import { ToolError } from "@bough/protocol"
import { type Tool, ToolSchema } from "@bough/tool"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import { words } from "./words.ts"

type Encode = (value: unknown) => Result.Result<unknown, unknown>

const encoders = new WeakMap<Tool.Any, Encode>()

/**
 * Returns the encoder of a tool, which writes a Date, a bigint or a Map in the JSON form of the schema. The dispatcher
 * refuses values that do not match the schema.
 */
const encoderOf = (tool: Tool.Any): Encode => {
  const known = encoders.get(tool)
  if (known !== undefined) return known
  const json = Schema.toCodecJson(Schema.toEncoded(tool.parameters)) as Schema.Codec<unknown, unknown>
  const fields = ToolSchema.ownFields(tool.parameters)
  const encode = SchemaParser.encodeUnknownResult(json, { onExcessProperty: "error" })
  const encodeOwn: Encode = (value) => encode(fields(value))
  encoders.set(tool, encodeOwn)
  return encodeOwn
}

/**
 * Returns the JSON text of arguments whose values have the types of the schema, or their JSON form. Fails if they have
 * no JSON form, such as a circular value, or a bigint that the schema does not expect.
 */
export const textOf = (
  tool: Tool.Any | undefined,
  input: unknown
): Result.Result<string, ToolError.ValidationError> => {
  const encoded = tool === undefined ? Result.fail(null) : guarded(() => encoderOf(tool)(input))
  const value = Result.isSuccess(encoded) ? encoded.success : input
  return Result.mapError(
    Result.try(() => JSON.stringify(value) ?? "null"),
    (error) => notJson(tool?.name ?? "the call", error)
  )
}

/** Getters and proxies of a program may throw. */
const guarded = (encode: () => Result.Result<unknown, unknown>): Result.Result<unknown, unknown> =>
  Result.flatMap(Result.try(encode), (encoded) => encoded)

const notJson = (name: string, thrown: unknown): ToolError.ValidationError => {
  const reason = words(thrown).replace(/^TypeError: /u, "")
  return new ToolError.ValidationError({
    message: `${name}: the arguments cannot be written as JSON: ${reason}`,
    issues: [{ path: "", message: `cannot be written as JSON: ${reason}` }]
  })
}

/** Decodes arguments and encodes outputs of a tool as the dispatcher does. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import type * as Tool from "../../Tool.ts"
import * as ToolSchema from "../../ToolSchema.ts"
import { refuse } from "./Subject.ts"

const strict = { errors: "all", onExcessProperty: "error" } as const

const json = (schema: Tool.Codec): Schema.Codec<unknown, Schema.Json> =>
  Schema.toCodecJson(schema) as Schema.Codec<unknown, Schema.Json>

const format = SchemaIssue.makeFormatterStandardSchemaV1()

export interface Fault {
  /** The dotted path; "" for the whole value. */
  readonly path: string
  readonly message: string
}

const faultsOf = (issue: SchemaIssue.Issue): ReadonlyArray<Fault> =>
  format(issue).issues.map(({ message, path = [] }) => ({
    path: path.map((part) => String(typeof part === "object" ? part.key : part)).join("."),
    message
  }))

const toParsed = (result: Result.Result<unknown, SchemaIssue.Issue>): Result.Result<unknown, ReadonlyArray<Fault>> =>
  Result.mapError(result, faultsOf)

export const decodeParameters = (tool: Tool.Any, value: unknown): Result.Result<unknown, ReadonlyArray<Fault>> =>
  toParsed(
    SchemaParser.decodeUnknownResult(json(tool.parameters), strict)(ToolSchema.ownFields(tool.parameters)(value))
  )

export const encodeParameters = (tool: Tool.Any, value: unknown): Result.Result<unknown, ReadonlyArray<Fault>> =>
  toParsed(SchemaParser.encodeUnknownResult(json(tool.parameters))(ToolSchema.ownFields(tool.parameters)(value)))

export const encodeOutput = (tool: Tool.Any, value: unknown): Result.Result<unknown, ReadonlyArray<Fault>> =>
  toParsed(SchemaParser.encodeUnknownResult(json(tool.output), strict)(ToolSchema.ownFields(tool.output)(value)))

export const describe = (faults: ReadonlyArray<Fault>): string =>
  faults.map(({ message, path }) => (path === "" ? message : `${path}: ${message}`)).join("; ")

/** The parameters of a sample; a sample that does not decode is a fault of the test's author. */
export const parametersOf = (tool: Tool.Any, sample: unknown): unknown => {
  const decoded = decodeParameters(tool, sample)
  return Result.isSuccess(decoded)
    ? decoded.success
    : refuse(tool, `the sample ${JSON.stringify(sample)} does not fit its parameters: ${describe(decoded.failure)}`)
}

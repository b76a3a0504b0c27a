/**
 * The input and output of a predictor: schemas of any library as codecs, and values as the JSON that the model reads
 * and writes.
 */
import { Redaction } from "@bough/dispatch"
import * as Decode from "@bough/dispatch/Decode"
import { Canonical, type Entry, Session, ToolError } from "@bough/protocol"
import { Prompt } from "@bough/runtime"
import * as Arguments from "@bough/sdk/Arguments"
import { Tool, ToolSchema } from "@bough/tool"
import * as ForeignSchema from "@bough/tool/ForeignSchema"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { isDeepStrictEqual } from "node:util"

/** The tool with which the model returns its output. */
export const resultTool = "return_result"

/** A valid value and its JSON. A failure is a text for the model. */
export interface ReadValue {
  readonly value: unknown
  /** Canonical JSON that includes default values. */
  readonly json: string
}

export interface Side {
  /** A tool that only declares the schema. It never runs. */
  readonly tool: Tool.Any
  /** True if the value is not an object, and is therefore wrapped in an object with one field. */
  readonly isWrapped: boolean
}

export interface Signature {
  readonly input: Side
  readonly output: Side
  /** The digest of both schemas. A prompt that was optimised for other schemas does not apply. */
  readonly digest: string
}

export const make = (input: ForeignSchema.AnySchema, output: ForeignSchema.AnySchema): Signature => {
  const sides = { input: sideOf("input", input), output: sideOf(resultTool, output) }
  const digest = Canonical.digestOf({ input: schemaOf(sides.input), output: schemaOf(sides.output) })
  return { ...sides, digest }
}

/** Returns the JSON Schema of a side as the model receives it. */
export const schemaOf = ({ tool }: Side): Readonly<Record<string, unknown>> => ToolSchema.parameters(tool, "draft-07")

const fieldOf = (name: string): string => (name === resultTool ? "result" : "value")

const sideOf = (name: string, schema: ForeignSchema.AnySchema): Side => {
  const codec = ForeignSchema.parameters(schema)
  const isWrapped = ToolSchema.derive(codec, "draft-07")["type"] !== "object"
  const parameters: Tool.Codec = isWrapped ? Schema.Struct({ [fieldOf(name)]: codec }) : codec
  const facts = {
    version: 1,
    description: "Give your result. Call it once, when it is complete",
    tier: "ReadOnly",
    replay: "Safe",
    capabilities: [],
    parameters,
    output: Schema.Unknown
  } as const
  const tool = Tool.fromChecked(name, facts, { execute: () => Effect.die("a schema is not run") })
  return { tool, isWrapped }
}

/** Validates a value of the program, and returns its JSON. A failure is a text for the program's author. */
export const write = (side: Side, value: unknown): Result.Result<ReadValue, string> => {
  const wrapped = side.isWrapped ? { [fieldOf(side.tool.name)]: value } : value
  const text = Arguments.textOf(side.tool, wrapped)
  return Result.isFailure(text)
    ? Result.fail(text.failure.message)
    : Result.mapError(decode(side, text.success), (outcome) => messageOf(side, outcome))
}

/** Returns the message of a failure without the name of the tool, which stands for the side. */
const messageOf = ({ tool: { name } }: Side, outcome: Entry.Outcome): string => {
  const message = outcome._tag === "Failed" ? ToolError.describe(outcome.error) : Prompt.describe(outcome)
  return message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message
}

/** Parses and validates a text of the model. Failures have the same form as for the arguments of any tool. */
export const read = (side: Side, text: string): Result.Result<ReadValue, string> =>
  Result.mapError(decode(side, text), Prompt.describe)

const decode = (side: Side, text: string): Result.Result<ReadValue, Entry.Outcome> => {
  const found = { toolCallId, name: side.tool.name, arguments: text, labels: [], prior: null, tool: side.tool }
  const decoded = Decode.decode(found, { sessionId, redaction: Redaction.none })
  if (Result.isFailure(decoded)) return Result.fail(decoded.failure.outcome)
  const { canonicalArguments: json, parameters } = decoded.success
  const value = side.isWrapped ? (parameters as Record<string, unknown>)[fieldOf(side.tool.name)] : parameters
  return Result.succeed({ value, json })
}

const toolCallId = Session.ToolCallId.make("value")
const sessionId = Session.SessionId.make("value")

/** Unwraps the JSON of a wrapped value. */
export const bare = (side: Side, json: string): unknown => {
  const value = JSON.parse(json) as Readonly<Record<string, unknown>>
  return side.isWrapped ? value[fieldOf(side.tool.name)] : value
}

/** Returns true if two decoded values are equal. Dates, sets and classes are compared by their contents. */
export const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, other)

/** Tools of Gemini. Calls and results are parts of content; `parameters` is a part of OpenAPI 3.0. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Json, type FormatResult, reader } from "../FormatFault.ts"
import { argumentsObject, argumentsText, callIdAt } from "../internal/arguments.ts"
import { declare, collectTools } from "../internal/declare.ts"
import { collect, type WriteResult } from "../Loss.ts"
import * as GeminiSchema from "../schema/GeminiSchema.ts"
import type { Call, CallResult, Declaration, Delta, JsonSchema, ReadResult } from "../ToolMessage.ts"
import * as ToolNames from "../ToolNames.ts"
import { checkedDialect } from "./checkedDialect.ts"
import type { DeltaReader, Dialect } from "./Dialect.ts"

export interface FunctionDeclaration {
  readonly name: string
  readonly description: string
  readonly parameters?: JsonSchema
}

export interface Tools {
  readonly functionDeclarations: Array<FunctionDeclaration>
}

export interface CallsContent {
  readonly role: "model"
  readonly parts: Array<{
    readonly functionCall: { readonly id: string; readonly name: string; readonly args: Record<string, unknown> }
  }>
}

interface Inline {
  readonly inlineData: { readonly mimeType: string; readonly data: string }
}

export interface ResultsContent {
  readonly role: "user"
  readonly parts: Array<{
    readonly functionResponse: {
      readonly id: string
      readonly name: string
      readonly response: Record<string, unknown>
      readonly parts?: Array<Inline>
    }
  }>
}

/** Writes the `tools` of a request: one list of functions. A tool without arguments has no schema. */
export const writeDeclarations = (declarations: ReadonlyArray<Declaration>): WriteResult<Array<Tools>> => {
  const tools = declarations.map((declaration) => {
    const { description, losses, name, schema } = declare(declaration, ToolNames.gemini)
    const parameters = GeminiSchema.fromSchema(schema, declaration.name)
    const hasArguments = "properties" in parameters.value
    const tool: FunctionDeclaration = { name, description, ...(hasArguments ? { parameters: parameters.value } : {}) }
    return { tool, losses: [...losses, ...parameters.losses] }
  })
  const { losses, value } = collectTools(tools)
  return { value: [{ functionDeclarations: value }], losses }
}

const format = "gemini"

const declarationsOf = reader(
  format,
  Schema.Array(
    Schema.Struct({
      functionDeclarations: Schema.optionalKey(
        Schema.Array(
          Schema.Struct({
            name: Schema.String,
            description: Schema.optionalKey(Schema.String),
            parameters: Schema.optionalKey(Json),
            parametersJsonSchema: Schema.optionalKey(Json)
          })
        )
      )
    })
  )
)

/** Reads declarations with either kind of schema: `parameters` or `parametersJsonSchema`. */
export const readDeclarations = (value: unknown): FormatResult<ReadonlyArray<Declaration>> =>
  Result.map(declarationsOf(value), (tools) =>
    tools.flatMap(({ functionDeclarations = [] }) =>
      functionDeclarations.map(({ description = "", name, parameters, parametersJsonSchema: json }) => ({
        name,
        description,
        parameters:
          json ?? (parameters === undefined ? { type: "object", properties: {} } : GeminiSchema.toSchema(parameters))
      }))
    )
  )

export const writeCalls = (calls: ReadonlyArray<Call>): WriteResult<CallsContent> => {
  const losses = collect()
  const parts = calls.map((call) => ({
    functionCall: {
      id: call.id,
      name: ToolNames.fit(call.name, ToolNames.gemini),
      args: { ...argumentsObject(call, losses) }
    }
  }))
  return { value: { role: "model", parts }, losses: losses.list }
}

const contentOf = reader(
  format,
  Schema.Struct({
    parts: Schema.optionalKey(
      Schema.Array(
        Schema.Struct({
          functionCall: Schema.optionalKey(
            Schema.Struct({
              id: Schema.optionalKey(Schema.String),
              name: Schema.String,
              args: Schema.optionalKey(Schema.NullOr(Json))
            })
          ),
          functionResponse: Schema.optionalKey(
            Schema.Struct({
              id: Schema.optionalKey(Schema.String),
              name: Schema.String,
              response: Schema.optionalKey(Json),
              parts: Schema.optionalKey(
                Schema.Array(
                  Schema.Struct({
                    inlineData: Schema.optionalKey(Schema.Struct({ mimeType: Schema.String, data: Schema.String }))
                  })
                )
              )
            })
          )
        })
      )
    )
  })
)

/** Reads the calls of a content. Some replies contain calls without ids. */
export const readCalls = (value: unknown): FormatResult<ReadonlyArray<Call>> =>
  Result.map(contentOf(value), ({ parts = [] }) =>
    parts
      .flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall]))
      .map(({ args, id, name }, index) => ({ id: id ?? callIdAt(index), name, arguments: argumentsText(args) }))
  )

/** Writes results. The documented keys of a response are `output` and `error`. */
export const writeResults = (results: ReadonlyArray<CallResult>): WriteResult<ResultsContent> => ({
  value: {
    role: "user",
    parts: results.map(({ callId, isError, media, name, text }) => ({
      functionResponse: {
        id: callId,
        name: ToolNames.fit(name, ToolNames.gemini),
        response: isError ? { error: text } : { output: text },
        ...(media.length === 0
          ? {}
          : { parts: media.map(({ data, mediaType }) => ({ inlineData: { mimeType: mediaType, data } })) })
      }
    }))
  },
  losses: []
})

/** Reads the results of a content. */
export const readResults = (value: unknown): FormatResult<ReadonlyArray<ReadResult>> =>
  Result.map(contentOf(value), ({ parts = [] }) =>
    parts.flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [resultOf(functionResponse)]))
  )

interface Response {
  readonly id?: string
  readonly name: string
  readonly response?: JsonSchema
  readonly parts?: ReadonlyArray<{ readonly inlineData?: { readonly mimeType: string; readonly data: string } }>
}

const resultOf = ({ id = "", name, parts = [], response = {} }: Response): ReadResult => {
  const isError = "error" in response
  const result = isError ? response["error"] : "output" in response ? response["output"] : response
  return {
    callId: id === "" ? null : id,
    name,
    text: typeof result === "string" ? result : JSON.stringify(result),
    isError,
    media: parts.flatMap(({ inlineData }) =>
      inlineData === undefined ? [] : [{ mediaType: inlineData.mimeType, data: inlineData.data }]
    )
  }
}

const chunkOf = reader(
  format,
  Schema.Struct({
    candidates: Schema.optionalKey(Schema.Array(Schema.Struct({ content: Schema.optionalKey(Schema.Unknown) })))
  })
)

/** Reads the deltas; a chunk contains whole calls. */
export const deltas = (): DeltaReader => {
  let count = 0
  return {
    push: (event) =>
      Result.flatMap(chunkOf(event), ({ candidates }) =>
        Result.map(contentOf(candidates?.[0]?.content ?? {}), ({ parts = [] }) =>
          parts.flatMap(({ functionCall }): ReadonlyArray<Delta> => {
            if (functionCall === undefined) return []
            const { args, id, name } = functionCall
            const callId = id ?? callIdAt(count)
            count += 1
            return [
              { _tag: "CallStart", callId, name },
              { _tag: "CallArguments", callId, text: argumentsText(args) }
            ]
          })
        )
      )
  }
}

export const dialect: Dialect = checkedDialect("Gemini", {
  names: ToolNames.gemini,
  writeDeclarations,
  readDeclarations,
  writeCalls,
  readCalls,
  writeResults,
  readResults,
  deltas
})

/** Tools of the Model Context Protocol: lists, and calls as JSON-RPC messages. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Json, type FormatResult, reader } from "../FormatFault.ts"
import { argumentsObject, argumentsText } from "../internal/arguments.ts"
import { nodeOf } from "../internal/nodes.ts"
import { collect, type WriteResult } from "../Loss.ts"
import type { Call, CallResult, Declaration, ReadResult } from "../ToolMessage.ts"
import * as ToolNames from "../ToolNames.ts"
import { checkedDialect } from "./checkedDialect.ts"
import type { Dialect } from "./Dialect.ts"

export interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: { readonly type: "object"; readonly [keyword: string]: unknown }
}

export interface CallRequest {
  readonly jsonrpc: "2.0"
  readonly id: string
  readonly method: "tools/call"
  readonly params: { readonly name: string; readonly arguments: Record<string, unknown> }
}

type Content =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly mimeType: string; readonly data: string }

export interface CallResponse {
  readonly jsonrpc: "2.0"
  readonly id: string
  readonly result: { readonly content: Array<Content>; readonly isError: boolean }
}

/** Writes the result of `tools/list`. `McpTool.declaration` also has a tool's output schema and hints. */
export const writeDeclarations = (
  declarations: ReadonlyArray<Declaration>
): WriteResult<{ readonly tools: Array<ListedTool> }> => {
  const losses = collect()
  const tools = declarations.map(({ description, name, parameters }) => ({
    name: ToolNames.encodeName(name, ToolNames.mcp, losses),
    description,
    inputSchema: { ...parameters, type: "object" as const }
  }))
  return { value: { tools }, losses: losses.list }
}

const format = "mcp"

const declarationsOf = reader(
  format,
  Schema.Struct({
    tools: Schema.Array(
      Schema.Struct({
        name: Schema.String,
        title: Schema.optionalKey(Schema.String),
        description: Schema.optionalKey(Schema.String),
        inputSchema: Json
      })
    )
  })
)

/** Reads declarations; a tool without a description gets its title as description. */
export const readDeclarations = (value: unknown): FormatResult<ReadonlyArray<Declaration>> =>
  Result.map(declarationsOf(value), ({ tools }) =>
    tools.map(({ description, inputSchema, name, title = "" }) => ({
      name,
      description: description ?? title,
      parameters: inputSchema
    }))
  )

export const writeCalls = (calls: ReadonlyArray<Call>): WriteResult<Array<CallRequest>> => {
  const losses = collect()
  const value = calls.map((call): CallRequest => ({
    jsonrpc: "2.0",
    id: call.id,
    method: "tools/call",
    params: { name: ToolNames.fit(call.name, ToolNames.mcp), arguments: { ...argumentsObject(call, losses) } }
  }))
  return { value, losses: losses.list }
}

const Id = Schema.Union([Schema.String, Schema.Finite])

const requestsOf = reader(
  format,
  Schema.Array(
    Schema.Struct({
      id: Schema.optionalKey(Id),
      method: Schema.optionalKey(Schema.String),
      params: Schema.optionalKey(Json)
    })
  )
)

const callOf = reader(format, Schema.Struct({ name: Schema.String, arguments: Schema.optionalKey(Json) }))

/** Reads the calls among requests. */
export const readCalls = (value: unknown): FormatResult<ReadonlyArray<Call>> =>
  Result.flatMap(requestsOf(value), (requests) => {
    const calls: Array<Call> = []
    for (const { id, method, params } of requests) {
      if (method !== "tools/call" || id === undefined) continue
      const call = callOf(nodeOf(params))
      if (Result.isFailure(call)) return Result.fail(call.failure)
      calls.push({ id: String(id), name: call.success.name, arguments: argumentsText(call.success.arguments) })
    }
    return Result.succeed(calls)
  })

export const writeResults = (results: ReadonlyArray<CallResult>): WriteResult<Array<CallResponse>> => ({
  value: results.map(({ callId, isError, media, text }) => ({
    jsonrpc: "2.0",
    id: callId,
    result: {
      content: [
        { type: "text", text },
        ...media.map(({ data, mediaType }) => ({ type: "image", mimeType: mediaType, data }) as const)
      ],
      isError
    }
  })),
  losses: []
})

const responsesOf = reader(
  format,
  Schema.Array(
    Schema.Struct({
      id: Schema.optionalKey(Schema.NullOr(Id)),
      result: Schema.optionalKey(
        Schema.Struct({
          content: Schema.optionalKey(
            Schema.Array(
              Schema.Struct({
                type: Schema.String,
                text: Schema.optionalKey(Schema.String),
                mimeType: Schema.optionalKey(Schema.String),
                data: Schema.optionalKey(Schema.String),
                resource: Schema.optionalKey(
                  Schema.Struct({ uri: Schema.optionalKey(Schema.String), text: Schema.optionalKey(Schema.String) })
                ),
                uri: Schema.optionalKey(Schema.String)
              })
            )
          ),
          structuredContent: Schema.optionalKey(Schema.Unknown),
          isError: Schema.optionalKey(Schema.Boolean)
        })
      ),
      error: Schema.optionalKey(Schema.Struct({ message: Schema.String }))
    })
  )
)

/** Reads results and protocol errors. Structured content is used if there is no other content. */
export const readResults = (value: unknown): FormatResult<ReadonlyArray<ReadResult>> =>
  Result.map(responsesOf(value), (responses) =>
    responses.flatMap(({ error, id, result }): ReadonlyArray<ReadResult> => {
      const callId = id === undefined || id === null ? null : String(id)
      if (error !== undefined) return [{ callId, name: null, text: error.message, isError: true, media: [] }]
      if (result === undefined) return []
      const { content = [], isError = false, structuredContent: structured } = result
      const texts = content.flatMap(({ resource, text, uri }) => text ?? resource?.text ?? resource?.uri ?? uri ?? [])
      const text = texts.length === 0 && structured !== undefined ? JSON.stringify(structured) : texts.join("\n")
      const media = content.flatMap(({ data, mimeType: mediaType, type }) =>
        type === "image" && data !== undefined && mediaType !== undefined ? [{ mediaType, data }] : []
      )
      return [{ callId, name: null, text, isError, media }]
    })
  )

export const dialect: Dialect = checkedDialect("Mcp", {
  names: ToolNames.mcp,
  writeDeclarations,
  readDeclarations,
  writeCalls,
  readCalls,
  writeResults,
  readResults,
  deltas: null
})

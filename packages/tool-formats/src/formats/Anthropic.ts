/** Tools of Anthropic's messages. Calls and results are blocks of content. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { fault, Json, type FormatResult, reader } from "../FormatFault.ts"
import { argumentsObject, argumentsText } from "../internal/arguments.ts"
import { declare, collectTools } from "../internal/declare.ts"
import { nodeOf } from "../internal/nodes.ts"
import { pathBelow, collect, type Losses, type WriteResult } from "../Loss.ts"
import type { Call, CallResult, Declaration, Delta, JsonSchema, ReadResult } from "../ToolMessage.ts"
import * as ToolNames from "../ToolNames.ts"
import { checkedDialect } from "./checkedDialect.ts"
import type { DeltaReader, Dialect } from "./Dialect.ts"

export interface Tool {
  readonly name: string
  readonly description: string
  readonly input_schema: { readonly type: "object"; readonly [keyword: string]: unknown }
}

export interface CallsMessage {
  readonly role: "assistant"
  readonly content: Array<{
    readonly type: "tool_use"
    readonly id: string
    readonly name: string
    readonly input: Readonly<Record<string, unknown>>
  }>
}

interface ImageBlock {
  readonly type: "image"
  readonly source: { readonly type: "base64"; readonly media_type: ImageType; readonly data: string }
}

type ImageType = (typeof imageTypes)[number]
const imageTypes = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const

export interface ResultsMessage {
  readonly role: "user"
  readonly content: Array<{
    readonly type: "tool_result"
    readonly tool_use_id: string
    readonly content: string | Array<{ readonly type: "text"; readonly text: string } | ImageBlock>
    readonly is_error?: true
  }>
}

const propertyName = /^[a-zA-Z0-9_.-]{1,64}$/u

export const writeDeclarations = (declarations: ReadonlyArray<Declaration>): WriteResult<Array<Tool>> => {
  const tools = declarations.map((declaration) => {
    const { description, losses, name, schema } = declare(declaration, ToolNames.anthropic)
    const refused = collect()
    checkNames(schema, declaration.name, refused)
    const tool: Tool = { name, description, input_schema: { ...schema, type: "object" } }
    return { tool, losses: [...losses, ...refused.list] }
  })
  return collectTools(tools)
}

const checkNames = (schema: JsonSchema, at: string, losses: Losses): void => {
  for (const name of Object.keys(nodeOf(schema["properties"]))) {
    if (!propertyName.test(name)) losses.add("PropertyName", pathBelow(pathBelow(at, "properties"), name), name)
  }
}

const format = "anthropic"

const declarationsOf = reader(
  format,
  Schema.Array(
    Schema.Struct({
      name: Schema.String,
      type: Schema.optionalKey(Schema.NullOr(Schema.String)),
      description: Schema.optionalKey(Schema.String),
      input_schema: Schema.optionalKey(Json)
    })
  )
)

/** Reads declarations. Tools that the provider defines itself have no schema, and are left out. */
export const readDeclarations = (value: unknown): FormatResult<ReadonlyArray<Declaration>> =>
  Result.map(declarationsOf(value), (tools) =>
    tools.flatMap(({ description = "", input_schema: parameters, name }) =>
      parameters === undefined ? [] : [{ name, description, parameters }]
    )
  )

export const writeCalls = (calls: ReadonlyArray<Call>): WriteResult<CallsMessage> => {
  const losses = collect()
  const content = calls.map((call) => ({
    type: "tool_use" as const,
    id: call.id,
    name: ToolNames.fit(call.name, ToolNames.anthropic),
    input: argumentsObject(call, losses)
  }))
  return { value: { role: "assistant", content }, losses: losses.list }
}

const Block = Schema.Struct({
  type: Schema.String,
  id: Schema.optionalKey(Schema.String),
  name: Schema.optionalKey(Schema.String),
  input: Schema.optionalKey(Schema.Unknown),
  tool_use_id: Schema.optionalKey(Schema.String),
  content: Schema.optionalKey(Schema.Unknown),
  is_error: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})

const messageOf = reader(format, Schema.Struct({ content: Schema.Union([Schema.String, Schema.Array(Block)]) }))

const blocksOf = (value: unknown) =>
  Result.map(messageOf(value), ({ content }) => (typeof content === "string" ? [] : content))

/** Reads the calls of a message. */
export const readCalls = (value: unknown): FormatResult<ReadonlyArray<Call>> =>
  Result.flatMap(blocksOf(value), (blocks) => {
    const calls: Array<Call> = []
    for (const [index, { id, input, name, type }] of blocks.entries()) {
      if (type !== "tool_use") continue
      if (id === undefined || name === undefined)
        return fault(format, `content.${index}`, "a call has no id or no name")
      calls.push({ id, name, arguments: argumentsText(input) })
    }
    return Result.succeed(calls)
  })

export const writeResults = (results: ReadonlyArray<CallResult>): WriteResult<ResultsMessage> => {
  const losses = collect()
  const content = results.map(({ callId, isError, media, text }) => {
    const images = media.flatMap(({ data, mediaType }): ReadonlyArray<ImageBlock> => {
      const known = imageTypes.find((type) => type === mediaType)
      if (known === undefined) losses.add("Media", callId, mediaType)
      return known === undefined ? [] : [{ type: "image", source: { type: "base64", media_type: known, data } }]
    })
    return {
      type: "tool_result" as const,
      tool_use_id: callId,
      content: images.length === 0 ? text : [{ type: "text" as const, text }, ...images],
      ...(isError ? { is_error: true as const } : {})
    }
  })
  return { value: { role: "user", content }, losses: losses.list }
}

const resultContent = reader(
  format,
  Schema.Union([
    Schema.String,
    Schema.Array(
      Schema.Struct({
        type: Schema.String,
        text: Schema.optionalKey(Schema.String),
        source: Schema.optionalKey(
          Schema.Struct({ media_type: Schema.optionalKey(Schema.String), data: Schema.optionalKey(Schema.String) })
        )
      })
    )
  ])
)

/** Reads the results of a message. */
export const readResults = (value: unknown): FormatResult<ReadonlyArray<ReadResult>> =>
  Result.flatMap(blocksOf(value), (blocks) => {
    const results: Array<ReadResult> = []
    for (const [index, block] of blocks.entries()) {
      if (block.type !== "tool_result") continue
      if (block.tool_use_id === undefined) return fault(format, `content.${index}`, "a result names no call")
      const content = resultContent(block.content ?? "")
      if (Result.isFailure(content)) return Result.fail(content.failure)
      const parts = typeof content.success === "string" ? [{ text: content.success }] : content.success
      const media = parts.flatMap((part) => {
        const { data, media_type: mediaType } = ("source" in part ? part.source : undefined) ?? {}
        return data === undefined || mediaType === undefined ? [] : [{ mediaType, data }]
      })
      const text = parts.map((part) => part.text ?? "").join("")
      results.push({ callId: block.tool_use_id, name: null, text, isError: block.is_error === true, media })
    }
    return Result.succeed(results)
  })

const eventOf = reader(
  format,
  Schema.Struct({
    type: Schema.String,
    index: Schema.optionalKey(Schema.Finite),
    content_block: Schema.optionalKey(Block),
    delta: Schema.optionalKey(
      Schema.Struct({
        type: Schema.optionalKey(Schema.String),
        partial_json: Schema.optionalKey(Schema.String)
      })
    )
  })
)

/** Reads the deltas: a call begins as a block with an empty input, and its JSON follows in fragments. */
export const deltas = (): DeltaReader => {
  const open = new Map<number, string>()
  return {
    push: (event) =>
      Result.map(eventOf(event), ({ content_block: block, delta, index = 0, type }): ReadonlyArray<Delta> => {
        if (type === "content_block_start" && block?.type === "tool_use" && block.id !== undefined) {
          open.set(index, block.id)
          return [{ _tag: "CallStart", callId: block.id, name: block.name ?? "" }]
        }
        const callId = open.get(index)
        const text = delta?.type === "input_json_delta" ? (delta.partial_json ?? "") : ""
        return callId === undefined || text === "" ? [] : [{ _tag: "CallArguments", callId, text }]
      })
  }
}

export const dialect: Dialect = checkedDialect("Anthropic", {
  names: ToolNames.anthropic,
  writeDeclarations,
  readDeclarations,
  writeCalls,
  readCalls,
  writeResults,
  readResults,
  deltas
})

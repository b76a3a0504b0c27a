/** Tools of OpenAI's Responses API. Calls and results are items of the conversation. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { fault, Json, type FormatResult, reader } from "../FormatFault.ts"
import { dataUrl, fromDataUrl } from "../internal/dataUrl.ts"
import { declare, declareStrict, collectTools } from "../internal/declare.ts"
import { collect, type WriteResult } from "../Loss.ts"
import type { Call, CallResult, Declaration, Delta, ReadResult } from "../ToolMessage.ts"
import * as ToolNames from "../ToolNames.ts"
import { checkedDialect } from "./checkedDialect.ts"
import type { DeltaReader, Dialect } from "./Dialect.ts"

export interface FunctionTool {
  readonly type: "function"
  readonly name: string
  readonly description: string
  readonly parameters: Record<string, unknown>
  readonly strict: boolean
}

export interface CallItem {
  readonly type: "function_call"
  readonly call_id: string
  readonly name: string
  readonly arguments: string
}

export interface ResultItem {
  readonly type: "function_call_output"
  readonly call_id: string
  readonly output:
    | string
    | Array<
        | { readonly type: "input_text"; readonly text: string }
        | { readonly type: "input_image"; readonly image_url: string; readonly detail: "auto" }
      >
}

/**
 * Writes declarations. `isStrict`: the provider enforces the schema; a tool that strict functions cannot express is
 * declared as not strict.
 */
export const writeDeclarations = (
  declarations: ReadonlyArray<Declaration>,
  { isStrict = false }: { readonly isStrict?: boolean } = {}
): WriteResult<Array<FunctionTool>> => {
  const tools = declarations.map((declaration) => {
    const declared = declareStrict(declare(declaration, ToolNames.openAi), { at: declaration.name, isStrict })
    const { description, losses, name, schema: parameters } = declared
    const tool: FunctionTool = { type: "function", name, description, parameters, strict: declared.isStrict }
    return { tool, losses }
  })
  return collectTools(tools)
}

const format = "openai"

const declarationsOf = reader(
  format,
  Schema.Array(
    Schema.Struct({
      type: Schema.String,
      name: Schema.optionalKey(Schema.String),
      description: Schema.optionalKey(Schema.NullOr(Schema.String)),
      parameters: Schema.optionalKey(Schema.NullOr(Json))
    })
  )
)

/** Reads declarations. Tools that the provider runs itself, such as a search, are left out. */
export const readDeclarations = (value: unknown): FormatResult<ReadonlyArray<Declaration>> =>
  Result.map(declarationsOf(value), (tools) =>
    tools.flatMap(({ description, name, parameters, type }) =>
      type !== "function" || name === undefined
        ? []
        : [{ name, description: description ?? "", parameters: parameters ?? { type: "object", properties: {} } }]
    )
  )

export const writeCalls = (calls: ReadonlyArray<Call>): WriteResult<Array<CallItem>> => ({
  value: calls.map((call) => ({
    type: "function_call",
    call_id: call.id,
    name: ToolNames.fit(call.name, ToolNames.openAi),
    arguments: call.arguments
  })),
  losses: []
})

const itemsOf = reader(
  format,
  Schema.Array(
    Schema.Struct({
      type: Schema.optionalKey(Schema.String),
      call_id: Schema.optionalKey(Schema.String),
      name: Schema.optionalKey(Schema.String),
      arguments: Schema.optionalKey(Schema.String),
      output: Schema.optionalKey(Schema.Unknown)
    })
  )
)

/** Reads the calls among the items of a response. */
export const readCalls = (value: unknown): FormatResult<ReadonlyArray<Call>> =>
  Result.flatMap(itemsOf(value), (items) => {
    const calls: Array<Call> = []
    for (const [index, item] of items.entries()) {
      if (item.type !== "function_call") continue
      const { arguments: text = "", call_id: id, name } = item
      if (id === undefined || name === undefined)
        return fault(format, String(index), "a call has no call_id or no name")
      calls.push({ id, name, arguments: text })
    }
    return Result.succeed(calls)
  })

/** Writes results, which have no mark for a failed call. */
export const writeResults = (results: ReadonlyArray<CallResult>): WriteResult<Array<ResultItem>> => {
  const losses = collect()
  const value = results.map(({ callId, isError, media, text }): ResultItem => {
    if (isError) losses.add("ErrorFlag", callId, "a failed call")
    const images = media.map((one) => ({ type: "input_image", image_url: dataUrl(one), detail: "auto" }) as const)
    const output: ResultItem["output"] = images.length === 0 ? text : [{ type: "input_text", text }, ...images]
    return { type: "function_call_output", call_id: callId, output }
  })
  return { value, losses: losses.list }
}

const outputOf = reader(
  format,
  Schema.Union([
    Schema.String,
    Schema.Array(
      Schema.Struct({
        type: Schema.String,
        text: Schema.optionalKey(Schema.String),
        image_url: Schema.optionalKey(Schema.NullOr(Schema.String))
      })
    )
  ])
)

/** Reads the results among the items of a conversation. */
export const readResults = (value: unknown): FormatResult<ReadonlyArray<ReadResult>> =>
  Result.flatMap(itemsOf(value), (items) => {
    const results: Array<ReadResult> = []
    for (const [index, item] of items.entries()) {
      if (item.type !== "function_call_output") continue
      if (item.call_id === undefined) return fault(format, `${index}.call_id`, "a result names no call")
      const output = outputOf(item.output ?? "")
      if (Result.isFailure(output)) return Result.fail(output.failure)
      const parts = typeof output.success === "string" ? [{ type: "input_text", text: output.success }] : output.success
      const media = parts.flatMap((part) => ("image_url" in part ? fromDataUrl(part.image_url ?? "") : []))
      const text = parts.map((part) => part.text ?? "").join("")
      results.push({ callId: item.call_id, name: null, text, isError: false, media })
    }
    return Result.succeed(results)
  })

const eventOf = reader(
  format,
  Schema.Struct({
    type: Schema.String,
    output_index: Schema.optionalKey(Schema.Finite),
    delta: Schema.optionalKey(Schema.Unknown),
    arguments: Schema.optionalKey(Schema.Unknown),
    item: Schema.optionalKey(
      Schema.Struct({
        type: Schema.String,
        call_id: Schema.optionalKey(Schema.String),
        name: Schema.optionalKey(Schema.String),
        arguments: Schema.optionalKey(Schema.String)
      })
    )
  })
)

/**
 * Reads the deltas. Calls are matched by the index of their item. Arguments that arrive only at the end are reported
 * then.
 */
export const deltas = (): DeltaReader => {
  const open = new Map<number, { readonly callId: string; hasText: boolean }>()
  return {
    push: (event) =>
      Result.map(eventOf(event), ({ arguments: fullArguments, delta, item, output_index: index = 0, type }) => {
        const events: Array<Delta> = []
        if (item?.type === "function_call" && !open.has(index) && item.call_id !== undefined) {
          open.set(index, { callId: item.call_id, hasText: false })
          events.push({ _tag: "CallStart", callId: item.call_id, name: item.name ?? "" })
        }
        const call = open.get(index)
        const text =
          type === "response.function_call_arguments.delta"
            ? delta
            : call?.hasText === true
              ? ""
              : type === "response.function_call_arguments.done"
                ? fullArguments
                : item?.arguments
        if (call === undefined || typeof text !== "string" || text === "") return events
        call.hasText = true
        events.push({ _tag: "CallArguments", callId: call.callId, text })
        return events
      })
  }
}

export const dialect: Dialect = checkedDialect("OpenAiResponses", {
  names: ToolNames.openAi,
  writeDeclarations,
  readDeclarations,
  writeCalls,
  readCalls,
  writeResults,
  readResults,
  deltas
})

/** Tools of OpenAI's chat completions, a format that most other servers also accept. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { fault, Json, type FormatResult, reader } from "../FormatFault.ts"
import { argumentsText, callIdAt } from "../internal/arguments.ts"
import { declare, declareStrict, collectTools } from "../internal/declare.ts"
import { collect, type WriteResult } from "../Loss.ts"
import type { Call, CallResult, Declaration, Delta, ReadResult } from "../ToolMessage.ts"
import * as ToolNames from "../ToolNames.ts"
import { checkedDialect } from "./checkedDialect.ts"
import type { DeltaReader, Dialect } from "./Dialect.ts"

export interface FunctionTool {
  readonly type: "function"
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: Record<string, unknown>
    readonly strict?: boolean
  }
}

export interface CallsMessage {
  readonly role: "assistant"
  readonly content: null
  readonly tool_calls: Array<{
    readonly id: string
    readonly type: "function"
    readonly function: { readonly name: string; readonly arguments: string }
  }>
}

export interface ResultMessage {
  readonly role: "tool"
  readonly tool_call_id: string
  readonly content: string
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
    const tool: FunctionTool = {
      type: "function",
      function: { name, description, parameters, ...(declared.isStrict ? { strict: true } : {}) }
    }
    return { tool, losses }
  })
  return collectTools(tools)
}

const format = "openai-chat"

const declarationsOf = reader(
  format,
  Schema.Array(
    Schema.Struct({
      type: Schema.String,
      function: Schema.optionalKey(
        Schema.Struct({
          name: Schema.String,
          description: Schema.optionalKey(Schema.NullOr(Schema.String)),
          parameters: Schema.optionalKey(Schema.NullOr(Json))
        })
      )
    })
  )
)

/** Reads declarations. Tools of other types, such as custom ones with a grammar, are left out. */
export const readDeclarations = (value: unknown): FormatResult<ReadonlyArray<Declaration>> =>
  Result.map(declarationsOf(value), (tools) =>
    tools.flatMap((tool) =>
      tool.function === undefined
        ? []
        : [
            {
              name: tool.function.name,
              description: tool.function.description ?? "",
              parameters: tool.function.parameters ?? { type: "object", properties: {} }
            }
          ]
    )
  )

export const writeCalls = (calls: ReadonlyArray<Call>): WriteResult<CallsMessage> => ({
  value: {
    role: "assistant",
    content: null,
    tool_calls: calls.map((call) => ({
      id: call.id,
      type: "function",
      function: { name: ToolNames.fit(call.name, ToolNames.openAi), arguments: call.arguments }
    }))
  },
  losses: []
})

const callsOf = reader(
  format,
  Schema.Struct({
    tool_calls: Schema.optionalKey(
      Schema.NullOr(
        Schema.Array(
          Schema.Struct({
            id: Schema.optionalKey(Schema.NullOr(Schema.String)),
            function: Schema.optionalKey(
              Schema.Struct({ name: Schema.String, arguments: Schema.optionalKey(Schema.Unknown) })
            )
          })
        )
      )
    )
  })
)

/** Reads the calls in the message of a choice. Some servers write the arguments as an object. */
export const readCalls = (value: unknown): FormatResult<ReadonlyArray<Call>> =>
  Result.map(callsOf(value), ({ tool_calls: calls }) =>
    (calls ?? []).flatMap((call, index) =>
      call.function === undefined
        ? []
        : [{ id: call.id ?? callIdAt(index), name: call.function.name, arguments: textOf(call.function.arguments) }]
    )
  )

const textOf = (value: unknown): string => (typeof value === "string" ? value : argumentsText(value))

/** Writes results. Their messages have neither images nor a mark for a failed call. */
export const writeResults = (results: ReadonlyArray<CallResult>): WriteResult<Array<ResultMessage>> => {
  const losses = collect()
  const value = results.map(({ callId, isError, media, text }): ResultMessage => {
    if (isError) losses.add("ErrorFlag", callId, "a failed call")
    for (const { mediaType } of media) losses.add("Media", callId, mediaType)
    return { role: "tool", tool_call_id: callId, content: text }
  })
  return { value, losses: losses.list }
}

const TextPart = Schema.Struct({ type: Schema.String, text: Schema.optionalKey(Schema.String) })

const resultsOf = reader(
  format,
  Schema.Array(
    Schema.Struct({
      role: Schema.String,
      tool_call_id: Schema.optionalKey(Schema.String),
      content: Schema.optionalKey(Schema.Unknown)
    })
  )
)

const contentOf = reader(format, Schema.Union([Schema.String, Schema.Array(TextPart)]))

/** Reads the results among messages. */
export const readResults = (value: unknown): FormatResult<ReadonlyArray<ReadResult>> =>
  Result.flatMap(resultsOf(value), (messages) => {
    const results: Array<ReadResult> = []
    for (const [index, { content, role, tool_call_id: callId }] of messages.entries()) {
      if (role !== "tool") continue
      if (callId === undefined) return fault(format, `${index}.tool_call_id`, "a result names no call")
      const parts = contentOf(content ?? "")
      if (Result.isFailure(parts)) return Result.fail(parts.failure)
      const text =
        typeof parts.success === "string" ? parts.success : parts.success.map((part) => part.text ?? "").join("")
      results.push({ callId, name: null, text, isError: false, media: [] })
    }
    return Result.succeed(results)
  })

const chunkOf = reader(
  format,
  Schema.Struct({
    choices: Schema.optionalKey(
      Schema.Array(
        Schema.Struct({
          delta: Schema.optionalKey(
            Schema.NullOr(
              Schema.Struct({
                tool_calls: Schema.optionalKey(
                  Schema.NullOr(
                    Schema.Array(
                      Schema.Struct({
                        index: Schema.optionalKey(Schema.Finite),
                        id: Schema.optionalKey(Schema.NullOr(Schema.String)),
                        function: Schema.optionalKey(
                          Schema.Struct({
                            name: Schema.optionalKey(Schema.NullOr(Schema.String)),
                            arguments: Schema.optionalKey(Schema.NullOr(Schema.String))
                          })
                        )
                      })
                    )
                  )
                )
              })
            )
          )
        })
      )
    )
  })
)

/** Reads the deltas in chunks of the first choice: a call begins with its name; later fragments have only its index. */
export const deltas = (): DeltaReader => {
  const open = new Map<number, string>()
  return {
    push: (event) =>
      Result.map(chunkOf(event), ({ choices }) =>
        (choices?.[0]?.delta?.tool_calls ?? []).flatMap((call, place): ReadonlyArray<Delta> => {
          const index = call.index ?? place
          const name = call.function?.name ?? ""
          const events: Array<Delta> = []
          if (!open.has(index) && name !== "") {
            open.set(index, call.id ?? callIdAt(index))
            events.push({ _tag: "CallStart", callId: open.get(index) ?? "", name })
          }
          const callId = open.get(index)
          const text = call.function?.arguments ?? ""
          if (callId !== undefined && text !== "") events.push({ _tag: "CallArguments", callId, text })
          return events
        })
      )
  }
}

export const dialect: Dialect = checkedDialect("OpenAiChat", {
  names: ToolNames.openAi,
  writeDeclarations,
  readDeclarations,
  writeCalls,
  readCalls,
  writeResults,
  readResults,
  deltas
})

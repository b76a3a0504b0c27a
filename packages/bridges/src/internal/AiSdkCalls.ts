/** Calls of the AI SDK's own tools: their arguments, their approvals and their results. */
import { type Message, ToolError } from "@bough/protocol"
import type { Tool } from "@bough/tool"
import type { Schema as AiSdkSchema, Tool as AiSdkTool, ToolExecutionOptions } from "ai"
import type * as Schema from "effect/Schema"
import { lastOf } from "./lastOf.ts"

export type AnyAiSdkTool = AiSdkTool

type Execute = (input: unknown, options: ToolExecutionOptions<unknown>) => unknown

export interface AiSdkCall {
  readonly input: unknown
  readonly id: string
}

/** The options of a call from another loop, which has no messages and no context. */
const optionsOf = (toolCallId: string): ToolExecutionOptions<unknown> => ({ toolCallId, messages: [], context: {} })

export const needsApproval = ({ needsApproval: needed }: AnyAiSdkTool, { id, input }: AiSdkCall) =>
  Promise.resolve(typeof needed === "function" ? needed(input, optionsOf(id)) : needed === true)

interface RunOptions {
  readonly schema: AiSdkSchema
  readonly signal: AbortSignal
  readonly progress: (message: string) => void
}

/** Validates the arguments with the tool's own schema, runs the call, and converts its result. */
export const run = (
  tool: AnyAiSdkTool,
  { id, input }: AiSdkCall,
  { progress, schema, signal }: RunOptions
): Promise<Tool.ToolResult<Schema.Json>> =>
  validate(schema, input)
    .then((value) =>
      lastOf((tool.execute as Execute)(value, { ...optionsOf(id), abortSignal: signal }), (update) =>
        progress(textOf(update))
      )
    )
    .then((output) => resultOf(tool, { input, output, toolCallId: id }))

const validate = (schema: AiSdkSchema, input: unknown): Promise<unknown> =>
  Promise.resolve(schema.validate?.(input) ?? { success: true as const, value: input }).then((validation) => {
    if (validation.success) return validation.value
    const { message } = validation.error
    throw new ToolError.ValidationError({ message, issues: [{ path: "", message }] })
  })

export const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

const resultOf = (
  { toModelOutput }: AnyAiSdkTool,
  call: { readonly toolCallId: string; readonly input: unknown; readonly output: unknown }
): Promise<Tool.ToolResult<Schema.Json>> => {
  // Values without a JSON form are left out, as the AI SDK does.
  const output = JSON.parse(JSON.stringify(call.output ?? null)) as Schema.Json
  return Promise.resolve(toModelOutput?.(call)).then((shown) => {
    const parts = shown?.type === "content" ? shown.value : []
    const media = parts.flatMap((part): ReadonlyArray<Message.Media> => {
      if (part.type !== "file" || part.data.type !== "data" || typeof part.data.data !== "string") return []
      return [{ mediaType: part.mediaType, data: part.data.data }]
    })
    return { output, display: "Done", media }
  })
}

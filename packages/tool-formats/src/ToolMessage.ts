/** Declarations, calls and results of tools as data of no provider: every format is written from them and read into them. */
import type { Message } from "@bough/protocol"
import { type Tool, ToolSchema } from "@bough/tool"

/** JSON Schema of draft-07, or of 2020-12 as far as both say the same. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface Declaration {
  readonly name: string
  readonly description: string
  /** The schema of an object. */
  readonly parameters: JsonSchema
}

export interface Call {
  /** Ties the result to the call. Readers number the calls of a format without ids: "call_1", "call_2" … */
  readonly id: string
  readonly name: string
  /** The JSON text that the model wrote. */
  readonly arguments: string
}

export interface CallResult {
  readonly callId: string
  readonly name: string
  /** The text that the model reads. */
  readonly text: string
  readonly isError: boolean
  readonly media: ReadonlyArray<Message.Media>
}

/** A result as a format has it: most of them say either the call or the tool, and not both. */
export interface ReadResult extends Omit<CallResult, "callId" | "name"> {
  readonly callId: string | null
  readonly name: string | null
}

/** One event of a reply while it streams. The fragments of several calls may alternate. */
export type Delta =
  | { readonly _tag: "CallStart"; readonly callId: string; readonly name: string }
  | { readonly _tag: "CallArguments"; readonly callId: string; readonly text: string }

/** The declaration of a tool, in the draft in which models are told of arguments. */
export const fromTool = (tool: Tool.Any): Declaration => ({
  name: tool.name,
  description: tool.description,
  parameters: ToolSchema.parameters(tool, "draft-07")
})

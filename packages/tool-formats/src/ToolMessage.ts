/** Declarations, calls and results of tools in a neutral form, from and to which every format is converted. */
import type { Message } from "@bough/protocol"
import { type Tool, ToolSchema } from "@bough/tool"
import { checkArguments } from "@bough/tool/checkArguments"
import * as Expected from "@bough/tool/Expected"

/** JSON Schema in the common subset of draft-07 and 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface Declaration {
  readonly name: string
  readonly description: string
  /** The schema of an object. */
  readonly parameters: JsonSchema
}

export interface Call {
  /**
   * The id that matches the result to its call. In formats without ids, readers number the calls: "call_1", "call_2" …
   */
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

/** A result as read from a format: most formats name either the call or the tool, not both. */
export interface ReadResult extends Omit<CallResult, "callId" | "name"> {
  readonly callId: string | null
  readonly name: string | null
}

/** One event of a reply while it streams. The fragments of several calls may alternate. */
export type Delta =
  | { readonly _tag: "CallStart"; readonly callId: string; readonly name: string }
  | { readonly _tag: "CallArguments"; readonly callId: string; readonly text: string }

/** Makes the declaration of a tool, in the JSON Schema draft for models. */
export const fromTool = checkArguments("ToolMessage.fromTool", [Expected.tool], (tool: Tool.Any): Declaration => ({
  name: tool.name,
  description: tool.description,
  parameters: ToolSchema.parameters(tool, "draft-07")
}))

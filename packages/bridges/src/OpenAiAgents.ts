/** Tools of an opened pack as function tools of the OpenAI Agents SDK. */
import type { Message } from "@bough/protocol"
import type { AnyOpenedPack } from "@bough/sdk"
import { type FunctionTool, tool } from "@openai/agents"
import * as Crossing from "./Crossing.ts"

export { type PendingApproval, CallFailed, type CrossedResult } from "./Crossing.ts"

export interface OpenAiAgentsOptions {
  /** Receives progress, which the SDK itself does not support. */
  readonly onProgress?: (message: string, tool: string) => void
}

export interface OpenAiAgentsTools {
  /** The `tools` of an agent. They request approval by `needsApproval`: a run ends with `interruptions`. */
  readonly tools: Array<FunctionTool>
  /** Returns the judgements to show to the user, by the `callId` of an interruption's item. */
  readonly shown: (callId: string) => Crossing.PendingApproval | undefined
}

/**
 * Converts an opened pack. An approval covers only the preview that was shown when the call was made, and only in the
 * same process.
 */
export const toOpenAiAgents = (opened: AnyOpenedPack, options: OpenAiAgentsOptions = {}): OpenAiAgentsTools => {
  const crossing = Crossing.make(opened)
  return { shown: crossing.shown, tools: crossing.tools.map((crossed) => toolOf(crossed, options)) }
}

const toolOf = (
  { asks, description, name, run, schema }: Crossing.CrossedTool,
  { onProgress }: OpenAiAgentsOptions
): FunctionTool =>
  tool({
    name,
    description,
    strict: false,
    parameters: schema,
    needsApproval: (context, input, id) =>
      asks({ input, id }, id !== undefined && context.isToolApproved({ toolName: name, callId: id }) === undefined),
    execute: (input, _context, details) =>
      run(
        { input, id: details?.toolCall?.callId },
        { signal: details?.signal, onProgress: onProgress && ((message) => onProgress(message, name)) }
      ).then((result) => Crossing.content(result, fileOf)),
    errorFunction: (_context, error) => String(error)
  })

const fileOf = ({ data, mediaType }: Message.Media) =>
  mediaType.startsWith("image/")
    ? { type: "image" as const, image: { data, mediaType } }
    : { type: "file" as const, file: { data, mediaType, filename: "file" } }

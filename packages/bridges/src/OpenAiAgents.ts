/** Tools of an opened pack as function tools of the OpenAI Agents SDK. */
import type { AnyOpenedPack } from "@bough/sdk"
import { type Tool as Declaration, ToolSchema } from "@bough/tool"
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
  return { shown: crossing.shown, tools: opened.tools.map((declaration) => toolOf(crossing, declaration, options)) }
}

const toolOf = (
  crossing: Crossing.Crossing,
  declaration: Declaration.Any,
  { onProgress }: OpenAiAgentsOptions
): FunctionTool => {
  const { description, name } = declaration
  const made = tool({
    name,
    description,
    strict: false,
    parameters: ToolSchema.parameters(declaration, "draft-07") as never,
    needsApproval: (context, input, callId) => {
      const isNew = callId !== undefined && context.isToolApproved({ toolName: name, callId }) === undefined
      return crossing
        .judge({ tool: declaration, input, toolCallId: callId }, isNew)
        .then(({ decision }) => decision === "ask")
    },
    execute: (input, _context, details) =>
      crossing
        .call(
          { tool: declaration, input, toolCallId: details?.toolCall?.callId },
          {
            ...(details?.signal === undefined ? {} : { signal: details.signal }),
            ...(onProgress === undefined ? {} : { onProgress: (message: string) => onProgress(message, name) })
          }
        )
        .then(toOutput),
    errorFunction: (_context, error) => String(error)
  })
  return made
}

/** Returns the text alone, or the text and the files. */
const toOutput = ({ media, text }: Crossing.CrossedResult) =>
  media.length === 0
    ? text
    : [
        { type: "text" as const, text },
        ...media.map(({ data, mediaType }) =>
          mediaType.startsWith("image/")
            ? { type: "image" as const, image: { data, mediaType } }
            : { type: "file" as const, file: { data, mediaType, filename: "file" } }
        )
      ]

/** Tools of an opened pack as function tools of the OpenAI Agents SDK. */
import type { Message } from "@bough/protocol"
import type { AnyOpenedPack } from "@bough/sdk"
import { type FunctionTool, tool } from "@openai/agents"
import * as Crossing from "./internal/Crossing.ts"
import * as ModelContent from "./internal/ModelContent.ts"
import type { WithApprovals } from "./internal/PendingApprovals.ts"

export { CallFailed, type CrossedResult } from "./internal/CrossedResult.ts"
export type { PendingApproval } from "./internal/PendingApprovals.ts"

export interface OpenAiAgentsOptions {
  /** Receives progress, which the SDK itself does not support. */
  readonly onProgress?: (message: string, tool: string) => void
}

export interface OpenAiAgentsTools extends WithApprovals {
  /** The `tools` of an agent. They request approval by `needsApproval`: a run ends with `interruptions`. */
  readonly tools: Array<FunctionTool>
}

/** Converts an opened pack. An approval covers only the preview that was shown, and only in the same process. */
export const toOpenAiAgents = (opened: AnyOpenedPack, { onProgress }: OpenAiAgentsOptions = {}): OpenAiAgentsTools => {
  const { shown, tools } = Crossing.make(opened)
  return { shown, tools: tools.map((crossed) => toolOf(crossed, onProgress)) }
}

type OnProgress = OpenAiAgentsOptions["onProgress"]

const toolOf = ({ asks, description, name, run, schema }: Crossing.CrossedTool, report: OnProgress): FunctionTool =>
  tool({
    name,
    description,
    strict: false,
    parameters: schema,
    needsApproval: (context, input, id) =>
      asks({ input, id }, id !== undefined && context.isToolApproved({ toolName: name, callId: id }) === undefined),
    execute: (input, _context, { signal, toolCall } = {}) =>
      run({ input, id: toolCall?.callId }, { signal, onProgress: report && ((message) => report(message, name)) }).then(
        (result) => ModelContent.fromResult(result, fileOf)
      ),
    errorFunction: (_context, error) => String(error)
  })

const fileOf = ({ data, mediaType }: Message.Media) =>
  ModelContent.isImage({ data, mediaType })
    ? { type: "image" as const, image: { data, mediaType } }
    : { type: "file" as const, file: { data, mediaType, filename: "file" } }

/** Tools of an opened pack as tools of LangChain, with the configuration of its human-in-the-loop middleware. */
import type { Message } from "@bough/protocol"
import type { AnyOpenedPack } from "@bough/sdk"
import { ToolMessage } from "@langchain/core/messages"
import { DynamicStructuredTool } from "@langchain/core/tools"
import * as Crossing from "./Crossing.ts"

export { type PendingApproval, CallFailed, type CrossedResult } from "./Crossing.ts"

interface LangChainCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly id?: string | undefined
}

/** The conditions under which the middleware interrupts for a tool, and the text that it shows. */
export interface InterruptOn {
  readonly allowedDecisions: Array<"approve" | "reject">
  readonly when: (request: { readonly toolCall: LangChainCall }) => Promise<boolean>
  readonly description: (toolCall: LangChainCall) => Promise<string>
}

export interface LangChainTools {
  /** The `tools` of `createAgent`, or of a `ToolNode`. The artifact of a tool's message is the complete result. */
  readonly tools: Array<DynamicStructuredTool>
  /** The `interruptOn` of `humanInTheLoopMiddleware`. No call that requires approval runs without this middleware. */
  readonly interruptOn: Record<string, InterruptOn>
  /** Returns the judgements to show to the user, by the id of the tool call. */
  readonly shown: (toolCallId: string) => Crossing.PendingApproval | undefined
}

/**
 * Converts an opened pack. An approval covers only the preview that was shown when the call was made, and only in the
 * same process.
 */
export const toLangChain = (opened: AnyOpenedPack): LangChainTools => {
  const crossing = Crossing.make(opened)
  return {
    shown: crossing.shown,
    tools: crossing.tools.map(toolOf),
    interruptOn: Crossing.byName(crossing, (tool) => interruptOf(tool, crossing.shown))
  }
}

const interruptOf = ({ asks, judge, name }: Crossing.CrossedTool, shown: LangChainTools["shown"]): InterruptOn => {
  const pending = (id: string | undefined) => (id === undefined ? undefined : shown(id))
  return {
    allowedDecisions: ["approve", "reject"],
    when: ({ toolCall: { args: input, id } }) =>
      asks({ input, id }, true).then((isAsked) => isAsked || pending(id) !== undefined),
    description: ({ args: input, id }) =>
      Promise.resolve(pending(id) ?? judge({ input }, false)).then((judgement) =>
        judgement.decision === "ask" ? Crossing.approvalText(judgement) : name
      )
  }
}

const toolOf = ({ description, name, run, schema }: Crossing.CrossedTool): DynamicStructuredTool =>
  new DynamicStructuredTool({
    name,
    description,
    schema,
    func: (input: unknown, _manager: unknown, { signal, toolCall, writer }: ToolConfig = {}) => {
      const message = (fields: object) => new ToolMessage({ name, tool_call_id: toolCall?.id ?? "", ...fields })
      const onProgress = writer && ((progress: string) => writer({ tool: name, progress }))
      return run({ input, id: toolCall?.id }, { signal, onProgress }).then(
        (result) => message({ content: Crossing.content(result, fileOf), artifact: result }),
        (error: unknown) => {
          if (!(error instanceof Crossing.CallFailed)) throw error
          return message({ content: String(error), artifact: error.error, status: "error" })
        }
      )
    }
  })

/** The parts of LangGraph's configuration that a tool reads. */
interface ToolConfig {
  readonly signal?: AbortSignal
  readonly toolCall?: { readonly id?: string }
  readonly writer?: (chunk: unknown) => void
}

const fileOf = ({ data, mediaType }: Message.Media) => ({
  type: mediaType.startsWith("image/") ? "image" : "file",
  mimeType: mediaType,
  data
})

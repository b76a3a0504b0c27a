/** Tools of an opened pack as tools of LangChain, with the configuration of its human-in-the-loop middleware. */
import type { Message } from "@bough/protocol"
import type { AnyOpenedPack } from "@bough/sdk"
import { ToolMessage } from "@langchain/core/messages"
import { DynamicStructuredTool } from "@langchain/core/tools"
import { CallFailed } from "./internal/CrossedResult.ts"
import * as Crossing from "./internal/Crossing.ts"
import type { InterruptOn, ToolConfig } from "./internal/LangChainTypes.ts"
import * as ModelContent from "./internal/ModelContent.ts"
import type { WithApprovals } from "./internal/PendingApprovals.ts"

export { CallFailed, type CrossedResult } from "./internal/CrossedResult.ts"
export type { InterruptOn } from "./internal/LangChainTypes.ts"
export type { PendingApproval } from "./internal/PendingApprovals.ts"

export interface LangChainTools extends WithApprovals {
  /** The `tools` of `createAgent`, or of a `ToolNode`. The artifact of a tool's message is the complete result. */
  readonly tools: Array<DynamicStructuredTool>
  /** The `interruptOn` of `humanInTheLoopMiddleware`. No call that requires approval runs without this middleware. */
  readonly interruptOn: Record<string, InterruptOn>
}

/** Converts an opened pack. An approval covers only the preview that was shown, and only in the same process. */
export const toLangChain = (opened: AnyOpenedPack): LangChainTools => {
  const crossing = Crossing.make(opened)
  const { shown } = crossing
  const interruptOf = ({ approvalText, asks }: Crossing.CrossedTool): InterruptOn => ({
    allowedDecisions: ["approve", "reject"],
    when: ({ toolCall: { args: input, id } }) =>
      asks({ input, id }, true).then((isAsked) => isAsked || (id !== undefined && shown(id) !== undefined)),
    description: ({ args: input, id }) => approvalText({ input, id })
  })
  return { shown, tools: crossing.tools.map(toolOf), interruptOn: Crossing.byName(crossing, interruptOf) }
}

const toolOf = ({ description, name, runSafely, schema }: Crossing.CrossedTool): DynamicStructuredTool =>
  new DynamicStructuredTool({
    name,
    description,
    schema,
    func: (input: unknown, _manager: unknown, { signal, toolCall, writer }: ToolConfig = {}) => {
      const message = (fields: object) => new ToolMessage({ name, tool_call_id: toolCall?.id ?? "", ...fields })
      const onProgress = writer && ((progress: string) => writer({ tool: name, progress }))
      return runSafely({ input, id: toolCall?.id }, { signal, onProgress }).then((result) =>
        result instanceof CallFailed
          ? message({ content: String(result), artifact: result.error, status: "error" })
          : message({ content: ModelContent.fromResult(result, fileOf), artifact: result })
      )
    }
  })

const fileOf = (file: Message.Media) => ({
  type: ModelContent.isImage(file) ? "image" : "file",
  mimeType: file.mediaType,
  data: file.data
})

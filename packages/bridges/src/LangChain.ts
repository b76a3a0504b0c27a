/** Tools of an opened pack as tools of LangChain, with the configuration of its human-in-the-loop middleware. */
import type { AnyOpenedPack } from "@bough/sdk"
import { type Tool as Declaration, ToolSchema } from "@bough/tool"
import { ToolMessage } from "@langchain/core/messages"
import { DynamicStructuredTool } from "@langchain/core/tools"
import * as Crossing from "./Crossing.ts"

export { type PendingApproval, CallFailed, type CrossedResult } from "./Crossing.ts"

interface Asked {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly id?: string | undefined
}

/** The conditions under which the middleware interrupts for a tool, and the text that it shows. */
export interface InterruptOn {
  readonly allowedDecisions: Array<"approve" | "reject">
  readonly when: (request: { readonly toolCall: Asked }) => Promise<boolean>
  readonly description: (toolCall: Asked) => Promise<string>
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
    tools: opened.tools.map((declaration) => toolOf(crossing, declaration)),
    interruptOn: Object.fromEntries(
      opened.tools.map((declaration) => [declaration.name, interruptOf(crossing, declaration)])
    )
  }
}

const interruptOf = (crossing: Crossing.Crossing, declaration: Declaration.Any): InterruptOn => ({
  allowedDecisions: ["approve", "reject"],
  when: ({ toolCall: { args, id } }) =>
    crossing
      .judge({ tool: declaration, input: args, toolCallId: id }, true)
      .then(({ decision }) => decision === "ask" || (id !== undefined && crossing.shown(id) !== undefined)),
  description: ({ args, id }) => {
    const known = id === undefined ? undefined : crossing.shown(id)
    if (known !== undefined) return Promise.resolve(Crossing.approvalText(known))
    return crossing
      .judge({ tool: declaration, input: args }, false)
      .then((judgement) => (judgement.decision === "ask" ? Crossing.approvalText(judgement) : declaration.name))
  }
})

const toolOf = (crossing: Crossing.Crossing, declaration: Declaration.Any): DynamicStructuredTool =>
  new DynamicStructuredTool({
    name: declaration.name,
    description: declaration.description,
    schema: ToolSchema.parameters(declaration, "draft-07") as never,
    func: (input: unknown, _manager: unknown, config: ToolConfig = {}) => {
      const { signal, toolCall: { id } = {}, writer } = config
      const options = {
        ...(signal === undefined ? {} : { signal }),
        ...(writer === undefined
          ? {}
          : { onProgress: (progress: string) => writer({ tool: declaration.name, progress }) })
      }
      return crossing.call({ tool: declaration, input, toolCallId: id }, options).then(
        (result) => messageOf(declaration.name, id, { content: contentOf(result), artifact: result }),
        (error: unknown) => {
          if (!(error instanceof Crossing.CallFailed)) throw error
          return messageOf(declaration.name, id, { content: String(error), artifact: error.error, status: "error" })
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

type Fields = Pick<ConstructorParameters<typeof ToolMessage>[0] & object, never> & {
  readonly content: string | ReadonlyArray<Record<string, unknown>>
  readonly artifact: unknown
  readonly status?: "error"
}

const messageOf = (name: string, id: string | undefined, fields: Fields): ToolMessage =>
  new ToolMessage({ name, tool_call_id: id ?? "", ...fields } as never)

/** Returns the text alone, or LangChain's content blocks. */
const contentOf = ({ media, text }: Crossing.CrossedResult): Fields["content"] =>
  media.length === 0
    ? text
    : [
        { type: "text", text },
        ...media.map(({ data, mediaType }) => ({
          type: mediaType.startsWith("image/") ? "image" : "file",
          mimeType: mediaType,
          data
        }))
      ]

/** Tools of an opened pack as tools of Mastra. */
import { Canonical } from "@bough/protocol"
import type { AnyOpenedPack } from "@bough/sdk"
import { type Tool as Declaration, ToolSchema } from "@bough/tool"
import { createTool, type Tool } from "@mastra/core/tools"
import * as Crossing from "./Crossing.ts"

export { type PendingApproval, CallFailed, type CrossedResult } from "./Crossing.ts"

export interface MastraTools {
  /** The `tools` of an agent. They ask by `requireApproval`, so that a run suspends until `approveToolCall`. */
  readonly tools: Record<string, Tool<unknown, Crossing.CrossedResult>>
  /** Returns the judgements for the user's decision: Mastra asks about a tool and its arguments, without an id of the call. */
  readonly shown: (tool: string, input: unknown) => Crossing.PendingApproval | undefined
}

const keyOf = (tool: string, input: unknown): string => `${tool} ${Canonical.digestOf(input)}`

/** An approval counts for what was shown when the tool call was made, in the process that it was made in. */
export const toMastra = (opened: AnyOpenedPack): MastraTools => {
  const crossing = Crossing.make(opened)
  return {
    shown: (tool, input) => crossing.shown(keyOf(tool, input)),
    tools: Object.fromEntries(
      opened.tools.map((declaration) => [declaration.name, toolOf(crossing, declaration)] as const)
    )
  }
}

const toolOf = (crossing: Crossing.Crossing, declaration: Declaration.Any): Tool<unknown, Crossing.CrossedResult> => {
  const { description, name } = declaration
  const crossed = (input: unknown) => ({ tool: declaration, input, toolCallId: keyOf(name, input) })
  return createTool({
    id: name,
    description,
    inputSchema: ToolSchema.parameters(declaration, "draft-07") as never,
    requireApproval: (input: unknown) =>
      crossing.judge(crossed(input), true).then(({ decision }) => decision === "ask"),
    execute: (input: unknown, { abortSignal, writer }) =>
      crossing.call(crossed(input), {
        ...(abortSignal === undefined ? {} : { signal: abortSignal }),
        ...(writer === undefined
          ? {}
          : { onProgress: (progress: string) => void writer.write({ tool: name, progress }) })
      }),
    // Mastra's own refusal of arguments passes here too.
    toModelOutput: (output) => {
      const { message, text } = output as Partial<Crossing.CrossedResult> & { readonly message?: string }
      return text === undefined
        ? { type: "error-text", value: message ?? JSON.stringify(output) }
        : toModelOutput(output as Crossing.CrossedResult)
    }
  }) as never
}

const toModelOutput = ({ media, text }: Crossing.CrossedResult) =>
  media.length === 0
    ? { type: "text", value: text }
    : {
        type: "content",
        value: [{ type: "text", text }, ...media.map(({ data, mediaType }) => ({ type: "media", mediaType, data }))]
      }

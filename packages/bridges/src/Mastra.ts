/** Tools of an opened pack as tools of Mastra. */
import { Canonical } from "@bough/protocol"
import type { AnyOpenedPack } from "@bough/sdk"
import { type Tool as Declaration, ToolSchema } from "@bough/tool"
import { createTool, type Tool } from "@mastra/core/tools"
import * as Crossing from "./Crossing.ts"

export { type PendingApproval, CallFailed, type CrossedResult } from "./Crossing.ts"

export interface MastraTools {
  /**
   * The `tools` of an agent. They request approval by `requireApproval`: a run is suspended until `approveToolCall` is
   * called.
   */
  readonly tools: Record<string, Tool<unknown, Crossing.CrossedResult>>
  /**
   * Returns the pending judgement of a call, to show to the user; undefined: none is pending. Mastra requests approval by
   * tool and arguments, without an id of the call.
   */
  readonly shown: (tool: string, input: unknown) => Crossing.PendingApproval | undefined
}

const keyOf = (tool: string, input: unknown): string => `${tool} ${Canonical.digestOf(input)}`

/**
 * Converts an opened pack. An approval covers only the preview that was shown when the call was made, and only in the
 * same process.
 */
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
    // Mastra's refusals of arguments are converted here too.
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

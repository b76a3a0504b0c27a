/** Tools of an opened pack as tools of Mastra. */
import { Canonical } from "@bough/protocol"
import type { AnyOpenedPack } from "@bough/sdk"
import { createTool, type Tool } from "@mastra/core/tools"
import type { CrossedResult } from "./internal/CrossedResult.ts"
import * as Crossing from "./internal/Crossing.ts"
import * as ModelContent from "./internal/ModelContent.ts"
import type { PendingApproval } from "./internal/PendingApprovals.ts"

export { CallFailed, type CrossedResult } from "./internal/CrossedResult.ts"
export type { PendingApproval } from "./internal/PendingApprovals.ts"

export interface MastraTools {
  /** The `tools` of an agent. They request approval by `requireApproval`: a run waits for `approveToolCall`. */
  readonly tools: Record<string, Tool<unknown, CrossedResult>>
  /** Returns the judgement to show to the user. Mastra names a call by its tool and arguments, without an id. */
  readonly shown: (tool: string, input: unknown) => PendingApproval | undefined
}

const keyOf = (tool: string, input: unknown): string => `${tool} ${Canonical.digestOf(input)}`

/** Converts an opened pack. An approval covers only the preview that was shown, and only in the same process. */
export const toMastra = (opened: AnyOpenedPack): MastraTools => {
  const crossing = Crossing.make(opened)
  return {
    shown: (tool, input) => crossing.shown(keyOf(tool, input)),
    tools: Crossing.byName(crossing, toolOf)
  }
}

const toolOf = ({ asks, description, name, run, schema }: Crossing.CrossedTool): MastraTools["tools"][string] => {
  const callOf = (input: unknown) => ({ input, id: keyOf(name, input) })
  return createTool({
    id: name,
    description,
    inputSchema: schema,
    requireApproval: (input: unknown) => asks(callOf(input), true),
    execute: (input: unknown, { abortSignal, writer }) =>
      run(callOf(input), {
        signal: abortSignal,
        onProgress: writer && ((progress) => void writer.write({ tool: name, progress }))
      }),
    toModelOutput: (output) => toModelOutput(output as Partial<CrossedResult>)
  }) as never
}

/** Mastra's refusals of arguments are converted here too. */
const toModelOutput = (output: Partial<CrossedResult> & { readonly message?: string }) => {
  const { media = [], message, text } = output
  if (text === undefined) return { type: "error-text", value: message ?? JSON.stringify(output) }
  const value = ModelContent.fromResult({ media, text }, (file) => ({ type: "media" as const, ...file }))
  return { type: typeof value === "string" ? "text" : "content", value }
}

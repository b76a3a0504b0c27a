/** Tools of an opened pack as tools of Mastra. */
import { Canonical } from "@bough/protocol"
import type { AnyOpenedPack } from "@bough/sdk"
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
    toModelOutput: (output) => toModelOutput(output as Partial<Crossing.CrossedResult>)
  }) as never
}

/** Mastra's refusals of arguments are converted here too. */
const toModelOutput = (output: Partial<Crossing.CrossedResult> & { readonly message?: string }) => {
  const { media = [], message, text } = output
  if (text === undefined) return { type: "error-text", value: message ?? JSON.stringify(output) }
  const value = Crossing.content({ media, text }, (file) => ({ type: "media" as const, ...file }))
  return { type: typeof value === "string" ? "text" : "content", value }
}

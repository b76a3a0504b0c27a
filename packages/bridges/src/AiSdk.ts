/** Tools of an opened pack as tools of the AI SDK. */
import type { Message } from "@bough/protocol"
import type { AnyOpenedPack } from "@bough/sdk"
import { jsonSchema, type SingleToolApprovalFunction, tool, type Tool } from "ai"
import * as Crossing from "./Crossing.ts"
import { updatesOf } from "./updatesOf.ts"

export { fromAiSdk, type FromAiSdkOptions } from "./FromAiSdk.ts"
export { type PendingApproval, CallFailed, type CrossedResult } from "./Crossing.ts"

/** The output of a tool: progress lines as preliminary results, then the final result. */
export type AiSdkOutput = Crossing.CrossedUpdate

export interface AiSdkTools {
  /** The `tools` of `generateText`, `streamText` or an agent. Each tool requests approval by its `needsApproval`. */
  readonly tools: Record<string, Tool<unknown, AiSdkOutput>>
  /**
   * The `toolApproval` option. With this option, the `reason` of a request includes the preview, and no approval is
   * requested for calls that policy denies.
   */
  readonly toolApproval: Record<string, SingleToolApprovalFunction<unknown, unknown, unknown>>
  /** Returns the preview of a call that is pending approval. */
  readonly shown: (toolCallId: string) => Crossing.PendingApproval | undefined
}

/**
 * Converts an opened pack. An approval covers only the preview that was shown when the call was made, and only in the
 * same process.
 */
export const toAiSdk = (opened: AnyOpenedPack): AiSdkTools => {
  const crossing = Crossing.make(opened)
  return {
    shown: crossing.shown,
    tools: Crossing.byName(crossing, toolOf),
    toolApproval: Crossing.byName(crossing, approvalOf)
  }
}

const approvalOf =
  ({ judge }: Crossing.CrossedTool): AiSdkTools["toolApproval"][string] =>
  (input, { messages, toolCallId: id }) =>
    judge({ input, id }, Crossing.isNewIn(messages, id)).then((judgement) => {
      if (judgement.decision === "allow") return undefined
      if (judgement.decision === "ask") return { type: "user-approval", reason: Crossing.approvalText(judgement) }
      // The call itself reports invalid arguments, so they are ignored here.
      return judgement.error?._tag === "ValidationError" ? undefined : { type: "denied", reason: judgement.reason }
    })

const toolOf = ({ asks, description, run, schema }: Crossing.CrossedTool): AiSdkTools["tools"][string] =>
  tool({
    description,
    inputSchema: jsonSchema(schema),
    needsApproval: (input, { messages, toolCallId: id }) => asks({ input, id }, Crossing.isNewIn(messages, id)),
    execute: (input, { abortSignal, toolCallId: id }) =>
      updatesOf<AiSdkOutput>(
        (onUpdate, signal) =>
          run({ input, id }, { signal, onProgress: (progress) => onUpdate(Crossing.running(progress)) }).then(
            Crossing.ended
          ),
        abortSignal
      ),
    toModelOutput: ({ output }) => {
      const value = Crossing.updateContent(output, fileOf)
      return typeof value === "string" ? { type: "text", value } : { type: "content", value }
    }
  })

const fileOf = ({ data, mediaType }: Message.Media) => ({
  type: "file" as const,
  mediaType,
  data: { type: "data" as const, data }
})

/** Tools of an opened pack as tools of the AI SDK. */
import type { Message } from "@bough/protocol"
import type { AnyOpenedPack } from "@bough/sdk"
import { jsonSchema, type SingleToolApprovalFunction, tool, type Tool } from "ai"
import type { CrossedUpdate } from "./internal/CrossedResult.ts"
import * as Crossing from "./internal/Crossing.ts"
import * as ModelContent from "./internal/ModelContent.ts"
import * as PendingApprovals from "./internal/PendingApprovals.ts"
import { updatesOf } from "./internal/updatesOf.ts"

export { fromAiSdk, type FromAiSdkOptions } from "./FromAiSdk.ts"
export { CallFailed, type CrossedResult, type CrossedUpdate as AiSdkOutput } from "./internal/CrossedResult.ts"
export type { PendingApproval } from "./internal/PendingApprovals.ts"

export interface AiSdkTools extends PendingApprovals.WithApprovals {
  /** The `tools` of `generateText`, `streamText` or an agent. Each tool requests approval by its `needsApproval`. */
  readonly tools: Record<string, Tool<unknown, CrossedUpdate>>
  /** The `toolApproval` option: reasons include the preview, and calls that policy denies are denied without a request. */
  readonly toolApproval: Record<string, SingleToolApprovalFunction<unknown, unknown, unknown>>
}

/** Converts an opened pack. An approval covers only the preview that was shown, and only in the same process. */
export const toAiSdk = (opened: AnyOpenedPack): AiSdkTools => {
  const crossing = Crossing.make(opened)
  const { shown } = crossing
  return { shown, tools: Crossing.byName(crossing, toolOf), toolApproval: Crossing.byName(crossing, approvalOf) }
}

const toolOf = ({ asks, description, runInParts, schema }: Crossing.CrossedTool): AiSdkTools["tools"][string] =>
  tool({
    description,
    inputSchema: jsonSchema(schema),
    needsApproval: (input, { messages, toolCallId: id }) => asks({ input, id }, PendingApprovals.isNewIn(messages, id)),
    execute: (input, { abortSignal, toolCallId: id }) =>
      updatesOf<CrossedUpdate>((onUpdate, signal) => runInParts({ input, id }, onUpdate, signal), abortSignal),
    toModelOutput: ({ output }) => {
      const value = ModelContent.fromUpdate(output, fileOf)
      return typeof value === "string" ? { type: "text", value } : { type: "content", value }
    }
  })

const approvalOf =
  ({ judge }: Crossing.CrossedTool): AiSdkTools["toolApproval"][string] =>
  (input, { messages, toolCallId: id }) =>
    judge({ input, id }, PendingApprovals.isNewIn(messages, id)).then((judgement) => {
      if (judgement.decision === "allow") return undefined
      if (judgement.decision === "ask") return { type: "user-approval", reason: PendingApprovals.textOf(judgement) }
      // The call itself reports invalid arguments, so they are ignored here.
      return judgement.error?._tag === "ValidationError" ? undefined : { type: "denied", reason: judgement.reason }
    })

const fileOf = ({ data, mediaType }: Message.Media) => ({
  type: "file" as const,
  mediaType,
  data: { type: "data" as const, data }
})

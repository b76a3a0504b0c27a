/** Tools of an opened pack as tools of the AI SDK. */
import type { AnyOpenedPack } from "@bough/sdk"
import { type Tool as Declaration, ToolSchema } from "@bough/tool"
import { jsonSchema, type ModelMessage, type SingleToolApprovalFunction, tool, type Tool } from "ai"
import * as Crossing from "./Crossing.ts"
import { progressing } from "./Progressing.ts"

export { fromAiSdk, type FromAiSdkOptions } from "./FromAiSdk.ts"
export { type PendingApproval, CallFailed, type CrossedResult } from "./Crossing.ts"

/** The output of a tool: progress lines as preliminary results, then the final result. */
export type AiSdkOutput =
  | { readonly status: "running"; readonly progress: string }
  | ({ readonly status: "success" } & Crossing.CrossedResult)

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
  const each = <A>(make: (declaration: Declaration.Any) => A): Record<string, A> =>
    Object.fromEntries(opened.tools.map((declaration) => [declaration.name, make(declaration)]))
  return {
    shown: crossing.shown,
    tools: each((declaration) => toolOf(crossing, declaration)),
    toolApproval: each(
      (declaration) =>
        (input, { messages, toolCallId }) =>
          crossing.judge({ tool: declaration, input, toolCallId }, isNew(messages, toolCallId)).then((judgement) => {
            if (judgement.decision === "allow") return undefined
            if (judgement.decision === "ask") return { type: "user-approval", reason: Crossing.approvalText(judgement) }
            // The call itself reports invalid arguments, so they are ignored here.
            return judgement.error?._tag === "ValidationError"
              ? undefined
              : { type: "denied", reason: judgement.reason }
          })
    )
  }
}

const toolOf = (crossing: Crossing.Crossing, declaration: Declaration.Any): Tool<unknown, AiSdkOutput> =>
  tool({
    description: declaration.description,
    inputSchema: jsonSchema(ToolSchema.parameters(declaration, "draft-07")),
    needsApproval: (input, { messages, toolCallId }) =>
      crossing
        .judge({ tool: declaration, input, toolCallId }, isNew(messages, toolCallId))
        .then(({ decision }) => decision === "ask"),
    execute: (input, { abortSignal, toolCallId }) =>
      outputs(
        progressing((onProgress, left) =>
          crossing.call(
            { tool: declaration, input, toolCallId },
            { onProgress, signal: abortSignal === undefined ? left : AbortSignal.any([left, abortSignal]) }
          )
        )
      ),
    toModelOutput: ({ output }) => {
      if (output.status === "running") return { type: "text", value: output.progress }
      const { media, text } = output
      if (media.length === 0) return { type: "text", value: text }
      const files = media.map(({ data, mediaType }) => ({
        type: "file" as const,
        mediaType,
        data: { type: "data" as const, data }
      }))
      return { type: "content", value: [{ type: "text", text }, ...files] }
    }
  })

/** Returns true for a new call, whose messages end before the call. The messages of an approved call include it. */
const isNew = (messages: ReadonlyArray<ModelMessage>, toolCallId: string): boolean =>
  !messages.some(
    ({ content, role }) =>
      role === "assistant" &&
      typeof content !== "string" &&
      content.some((part) => part.type === "tool-call" && part.toolCallId === toolCallId)
  )

/** Yields the progress, then the result as the last value. */
const outputs = (
  call: AsyncGenerator<string, Crossing.CrossedResult | undefined, void>
): AsyncIterable<AiSdkOutput> => ({
  [Symbol.asyncIterator]: () => ({
    next: () =>
      call.next().then(({ done, value }): IteratorResult<AiSdkOutput, undefined> => {
        if (done !== true) return { done: false, value: { status: "running", progress: value } }
        return value === undefined ? { done, value } : { done: false, value: { status: "success", ...value } }
      }),
    return: () => call.return(undefined).then(() => ({ done: true, value: undefined }))
  })
})

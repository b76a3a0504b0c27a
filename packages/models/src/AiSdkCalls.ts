/** The tool calls of a reply, whose arguments arrive in fragments, or complete, or both. */
import type { LanguageModelV4ToolCall } from "@ai-sdk/provider"
import type { Model } from "@bough/runtime"
import { sign } from "./AiSdkPrompt.ts"

interface Call {
  readonly name: string
  sent: string
  /** True: the fragments are plain text, which the complete call contains as JSON, so they are not emitted. */
  readonly encoded: boolean
  finished: boolean
}

type Parts = ReadonlyArray<Model.ModelPart>

export interface AiSdkCalls {
  readonly start: (callId: string, name: string, encoded: boolean) => Parts
  readonly fragment: (callId: string, text: string) => Parts
  /** Adds the part of the arguments that the fragments lacked; null: the complete arguments contradict them. */
  readonly complete: (call: LanguageModelV4ToolCall) => Parts | null
  readonly areFinished: () => boolean
  /** Returns the arguments of the calls that have none: some providers send an empty text for a tool without parameters. */
  readonly fillEmpty: (text: string) => Parts
  readonly nameOf: (callId: string) => string | null
}

export const make = (): AiSdkCalls => {
  const calls = new Map<string, Call>()
  const start: AiSdkCalls["start"] = (callId, name, encoded) => {
    calls.set(callId, { name, encoded, finished: false, sent: "" })
    return [{ _tag: "ToolCallStart", callId, name }]
  }
  return {
    start,
    fragment: (callId, text) => {
      const call = calls.get(callId)
      if (call === undefined || call.encoded || text === "") return []
      call.sent += text
      return [{ _tag: "ToolCallArguments", callId, text }]
    },
    complete: ({ input, providerExecuted, providerMetadata, toolCallId: callId, toolName }) => {
      if (providerExecuted === true) return []
      const opening = calls.has(callId) ? [] : start(callId, toolName, false)
      const call = calls.get(callId)!
      if (!input.startsWith(call.sent)) return null
      const rest = input.slice(call.sent.length)
      call.finished = true
      call.sent = input
      const signature = providerMetadata === undefined ? {} : { signature: sign(providerMetadata) }
      return rest === "" && !("signature" in signature)
        ? opening
        : [...opening, { _tag: "ToolCallArguments", callId, text: rest, ...signature }]
    },
    areFinished: () => Array.from(calls.values()).every(({ finished }) => finished),
    fillEmpty: (text) =>
      [...calls].flatMap(([callId, call]): Parts =>
        call.sent === "" ? [{ _tag: "ToolCallArguments", callId, text }] : []
      ),
    nameOf: (callId) => calls.get(callId)?.name ?? null
  }
}

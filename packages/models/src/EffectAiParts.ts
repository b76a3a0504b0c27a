/** Stream parts and prompts of effect/ai in the AI SDK's form, whose reader and mapping serve both. */
import type {
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions
} from "@ai-sdk/provider"
import type * as Prompt from "effect/ai/Prompt"
import type * as Response from "effect/ai/Response"
import type * as Tool from "effect/ai/Tool"

export type StreamPart = Response.StreamPart<Record<string, Tool.Any>, "deferred">

/** Reads one reply: keep it for no other. Null: nothing that the port knows. */
export const translator = (): ((part: StreamPart) => LanguageModelV4StreamPart | null) => {
  /** Arguments as the model wrote them: written anew they would differ. */
  const written = new Map<string, string>()
  return (part) => {
    switch (part.type) {
      case "text-delta":
        return { type: "text-delta", id: part.id, delta: part.delta }
      case "reasoning-start":
      case "reasoning-end":
        return { type: part.type, id: part.id, ...metadata(part.metadata) }
      case "reasoning-delta":
        return { type: "reasoning-delta", id: part.id, delta: part.delta, ...metadata(part.metadata) }
      case "tool-params-start":
        return {
          type: "tool-input-start",
          id: part.id,
          toolName: part.name,
          providerExecuted: part.providerExecuted
        }
      case "tool-params-delta":
        written.set(part.id, (written.get(part.id) ?? "") + part.delta)
        return { type: "tool-input-delta", id: part.id, delta: part.delta }
      case "tool-call":
        return {
          type: "tool-call",
          toolCallId: part.id,
          toolName: part.name,
          input: written.get(part.id) ?? JSON.stringify(part.params ?? {}),
          providerExecuted: part.providerExecuted,
          ...metadata(part.metadata)
        }
      case "finish":
        return {
          type: "finish",
          finishReason: { unified: reasons[part.reason], raw: part.reason },
          usage: {
            inputTokens: {
              total: part.usage.inputTokens.total,
              noCache: part.usage.inputTokens.uncached,
              cacheRead: part.usage.inputTokens.cacheRead,
              cacheWrite: part.usage.inputTokens.cacheWrite
            },
            outputTokens: {
              total: part.usage.outputTokens.total,
              text: part.usage.outputTokens.text,
              reasoning: part.usage.outputTokens.reasoning
            }
          }
        }
      case "error":
        return { type: "error", error: part.error }
      default:
        return null
    }
  }
}

const reasons = {
  stop: "stop",
  length: "length",
  "content-filter": "content-filter",
  "tool-calls": "tool-calls",
  error: "error",
  pause: "other",
  other: "other",
  unknown: "other"
} as const

const metadata = (of: object) =>
  Object.keys(of).length === 0 ? {} : { providerMetadata: of as SharedV4ProviderOptions }

export const messages = (prompt: LanguageModelV4Prompt): ReadonlyArray<Prompt.MessageEncoded> =>
  prompt.map((message): Prompt.MessageEncoded => {
    switch (message.role) {
      case "system":
        return { role: "system", content: message.content }
      case "user":
        return { role: "user", content: message.content.flatMap(shown) }
      case "assistant":
        return { role: "assistant", content: message.content.flatMap(said) }
      case "tool":
        return {
          role: "tool",
          content: message.content.flatMap((part) => (part.type === "tool-result" ? [result(part)] : []))
        }
    }
  })

type Content = LanguageModelV4Prompt[number] & { readonly role: "user" | "assistant" }
type Part = Exclude<Content["content"][number], string>

const shown = (part: Part): ReadonlyArray<Prompt.TextPartEncoded | Prompt.FilePartEncoded> => {
  if (part.type === "text") return [{ type: "text", text: part.text }]
  if (part.type !== "file" || part.data.type !== "data") return []
  return [{ type: "file", mediaType: part.mediaType, data: part.data.data }]
}

const said = (part: Part): ReadonlyArray<Prompt.AssistantMessagePartEncoded> => {
  if (part.type === "text") return [{ type: "text", text: part.text }]
  if (part.type === "reasoning") return [{ type: "reasoning", text: part.text, ...options(part.providerOptions) }]
  if (part.type !== "tool-call") return []
  return [
    {
      type: "tool-call",
      id: part.toolCallId,
      name: part.toolName,
      params: part.input,
      ...options(part.providerOptions)
    }
  ]
}

const result = ({ output, toolCallId, toolName }: LanguageModelV4ToolResultPart): Prompt.ToolResultPartEncoded => {
  const plain = { type: "tool-result", id: toolCallId, name: toolName } as const
  if (output.type === "text" || output.type === "error-text") {
    return { ...plain, isFailure: output.type === "error-text", result: output.value }
  }
  const parts = output.type === "content" ? output.value : []
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []))
  const modelOutput = parts.flatMap((part) => (part.type === "text" || part.type === "file" ? shown(part) : []))
  return { ...plain, isFailure: false, result: texts.join("\n"), modelOutput }
}

const options = (of: SharedV4ProviderOptions | undefined) =>
  of === undefined ? {} : { options: of as Prompt.ProviderOptions }

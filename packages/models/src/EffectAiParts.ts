/**
 * Converts stream parts and prompts of effect/ai to the AI SDK's form, so that the same reader and mapping serve both.
 */
import type {
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions
} from "@ai-sdk/provider"
import type * as Prompt from "effect/ai/Prompt"
import type * as Response from "effect/ai/Response"
import type * as Tool from "effect/ai/Tool"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

export type StreamPart = Response.StreamPart<Record<string, Tool.Any>, "deferred">

/** Reads one reply; each reply needs its own reader. */
export interface Translator {
  /** Converts a part; null: the port has no such part. */
  readonly read: (part: StreamPart) => LanguageModelV4StreamPart | null
  /**
   * Ends the reply with the calls that the package did not accept; empty: there are none. Their
   * cost is unknown.
   */
  readonly refused: () => ReadonlyArray<LanguageModelV4StreamPart>
}

interface WrittenCall {
  readonly name: string
  /** The arguments as the model wrote them: decoding and encoding them again could change the text. */
  text: string
  isExecuted: boolean
}

export const translator = (): Translator => {
  const written = new Map<string, WrittenCall>()
  const refused = (): ReadonlyArray<LanguageModelV4StreamPart> => {
    const calls = [...written].flatMap(([toolCallId, { name, isExecuted, text }]): Array<LanguageModelV4StreamPart> =>
      isExecuted || text === "" ? [] : [{ type: "tool-call", toolCallId, toolName: name, input: text }]
    )
    return calls.length === 0 ? [] : [...calls, { type: "finish", finishReason: toolCalls, usage: unknownUsage }]
  }
  const read = (part: StreamPart): LanguageModelV4StreamPart | null => {
    switch (part.type) {
      case "text-delta":
        return { type: "text-delta", id: part.id, delta: part.delta }
      case "reasoning-start":
      case "reasoning-end":
        return { type: part.type, id: part.id, ...metadata(part.metadata) }
      case "reasoning-delta":
        return { type: "reasoning-delta", id: part.id, delta: part.delta, ...metadata(part.metadata) }
      case "tool-params-start":
        if (!part.providerExecuted) written.set(part.id, { name: part.name, text: "", isExecuted: false })
        return {
          type: "tool-input-start",
          id: part.id,
          toolName: part.name,
          providerExecuted: part.providerExecuted
        }
      case "tool-params-delta":
        return grow(part.id, part.delta)
      case "tool-call":
        return {
          type: "tool-call",
          toolCallId: part.id,
          toolName: part.name,
          input: take(part.id) ?? JSON.stringify(part.params ?? {}),
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
  const grow = (id: string, delta: string): LanguageModelV4StreamPart => {
    const call = written.get(id)
    if (call !== undefined) call.text += delta
    return { type: "tool-input-delta", id, delta }
  }
  /** Takes the text of a call; a call without arguments may have an empty text. */
  const take = (id: string): string | null => {
    const call = written.get(id)
    if (call === undefined) return null
    call.isExecuted = true
    return call.text === "" ? null : call.text
  }
  return { read, refused }
}

const toolCalls = { unified: "tool-calls", raw: "tool-calls" } as const
const unknownUsage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined }
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
        return { role: "user", content: message.content.flatMap(shownParts) }
      case "assistant":
        return { role: "assistant", content: message.content.flatMap(toPrompt) }
      case "tool":
        return {
          role: "tool",
          content: message.content.flatMap((part) => (part.type === "tool-result" ? [result(part)] : []))
        }
    }
  })

type Content = LanguageModelV4Prompt[number] & { readonly role: "user" | "assistant" }
type Part = Exclude<Content["content"][number], string>

const shownParts = (part: Part): ReadonlyArray<Prompt.TextPartEncoded | Prompt.FilePartEncoded> => {
  if (part.type === "text") return [{ type: "text", text: part.text }]
  if (part.type !== "file" || part.data.type !== "data") return []
  return [{ type: "file", mediaType: part.mediaType, data: bytes(part.data.data) }]
}

/**
 * Decodes base64 to bytes. Packages of effect/ai treat text in different ways (as an address, a name, or bytes to
 * encode again), but all treat bytes the same.
 */
const bytes = (data: string | Uint8Array): Prompt.FilePartEncoded["data"] =>
  typeof data === "string" ? { _tag: "Uint8Array", base64: data } : data

const toPrompt = (part: Part): ReadonlyArray<Prompt.AssistantMessagePartEncoded> => {
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
    return { ...plain, isFailure: output.type === "error-text", result: valueOf(output.value) }
  }
  const parts = output.type === "content" ? output.value : []
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []))
  const modelOutput = parts.flatMap((part) => (part.type === "text" || part.type === "file" ? shownParts(part) : []))
  return { ...plain, isFailure: false, result: valueOf(texts.join("\n")), modelOutput }
}

const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/**
 * Returns the value of a result. Packages write it as JSON: text that is already JSON would otherwise become a JSON
 * string.
 */
const valueOf = (text: string): unknown => Option.getOrElse(decodeJson(text), () => text)

const options = (of: SharedV4ProviderOptions | undefined) =>
  of === undefined ? {} : { options: of as Prompt.ProviderOptions }

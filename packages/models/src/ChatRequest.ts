/** Converts the AI SDK's prompt to the body of a request for a chat completion. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart
} from "@ai-sdk/provider"

export type ChatPrompt = Pick<LanguageModelV4CallOptions, "prompt" | "tools" | "maxOutputTokens" | "reasoning">
type Assistant = Extract<LanguageModelV4Message, { readonly role: "assistant" }>

/**
 * The names under which a call's signature may be stored: the current name, former names, and the name in Google's own
 * API.
 */
export const signatureKey = "openai-compatible"
const signatureKeys = [signatureKey, "openaiCompatible", "google"]

export interface Target {
  /** The name under which the server knows the model. */
  readonly model: string
  /** The server's name for the limit of an answer's tokens. */
  readonly limitName: "max_tokens" | "max_completion_tokens"
}

/** Requests the token counts at the end of the stream. */
export const body = (
  { limitName, model }: Target,
  { maxOutputTokens, prompt, reasoning, tools = [] }: ChatPrompt
): string =>
  JSON.stringify({
    model,
    ...(maxOutputTokens === undefined ? {} : { [limitName]: maxOutputTokens }),
    ...(reasoning === undefined ? {} : { reasoning_effort: reasoning }),
    messages: prompt.flatMap(messages),
    ...(tools.length === 0 ? {} : { tools: tools.flatMap(tool) }),
    stream: true,
    stream_options: { include_usage: true }
  })

const tool = (declared: NonNullable<ChatPrompt["tools"]>[number]): ReadonlyArray<unknown> =>
  declared.type === "function"
    ? [
        {
          type: "function",
          function: { name: declared.name, description: declared.description, parameters: declared.inputSchema }
        }
      ]
    : []

const messages = (message: LanguageModelV4Message): ReadonlyArray<unknown> => {
  switch (message.role) {
    case "system":
      return [{ role: "system", content: message.content }]
    case "user": {
      const [first, second] = message.content
      const plain = second === undefined && first?.type === "text"
      return [{ role: "user", content: plain ? first.text : message.content.map(content) }]
    }
    case "assistant":
      return [assistant(message)]
    case "tool":
      return message.content.flatMap((part) => (part.type === "tool-result" ? [result(part)] : []))
  }
}

/** Converts a content; images are the only files of the port. */
const content = (part: LanguageModelV4TextPart | LanguageModelV4FilePart): unknown =>
  part.type === "text"
    ? { type: "text", text: part.text }
    : { type: "image_url", image_url: { url: `data:${part.mediaType};base64,${dataOf(part)}` } }

const dataOf = ({ data }: LanguageModelV4FilePart): string =>
  data.type !== "data" ? "" : typeof data.data === "string" ? data.data : Buffer.from(data.data).toString("base64")

const rendered = new WeakMap<Assistant, unknown>()

/**
 * Converts a reply. It is sent again with every later prompt, so its arguments are encoded once and not at each step.
 */
const assistant = (message: Assistant): unknown => {
  const known = rendered.get(message)
  if (known !== undefined) return known
  const made = render(message)
  rendered.set(message, made)
  return made
}

const render = ({ content }: Assistant): unknown => {
  const joined = (type: "text" | "reasoning"): string =>
    content
      .filter((part): part is LanguageModelV4TextPart | LanguageModelV4ReasoningPart => part.type === type)
      .map(({ text }) => text)
      .join("")
  const calls = content.flatMap((part) => (part.type === "tool-call" ? [call(part)] : []))
  const [text, reasoning] = [joined("text"), joined("reasoning")]
  return {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls })
  }
}

const call = ({ input, providerOptions, toolCallId, toolName }: LanguageModelV4ToolCallPart): unknown => {
  const signature = signatureKeys
    .map((key) => providerOptions?.[key]?.["thoughtSignature"])
    .find((value) => typeof value === "string" && value !== "")
  return {
    id: toolCallId,
    type: "function",
    function: { name: toolName, arguments: JSON.stringify(input) },
    ...(signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } })
  }
}

const result = ({ output, toolCallId }: LanguageModelV4ToolResultPart): unknown => ({
  role: "tool",
  tool_call_id: toolCallId,
  content: "value" in output ? (typeof output.value === "string" ? output.value : JSON.stringify(output.value)) : ""
})

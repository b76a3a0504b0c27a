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
type ToolPart = Extract<LanguageModelV4Message, { readonly role: "tool" }>["content"][number]
type Tool = NonNullable<ChatPrompt["tools"]>[number]

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

/**
 * Returns the body as text. It requests the token counts at the end of the stream. A conversation is sent again with
 * every step, so the texts of replies, results and tools are joined and not encoded again.
 */
export const body = (
  { limitName, model }: Target,
  { maxOutputTokens, prompt, reasoning, tools = [] }: ChatPrompt
): string => {
  const head = JSON.stringify({
    model,
    ...(maxOutputTokens === undefined ? {} : { [limitName]: maxOutputTokens }),
    ...(reasoning === undefined ? {} : { reasoning_effort: reasoning })
  }).slice(0, -1)
  const tail = JSON.stringify({ stream: true, stream_options: { include_usage: true } }).slice(1)
  const declared = tools.length === 0 ? "" : `"tools":[${joinJson(tools, toolText)}],`
  return `${head},"messages":[${joinJson(prompt, messageText)}],${declared}${tail}`
}

/** The encoded texts of messages and tools that are sent again with later requests. */
const texts = new WeakMap<object, string>()

/** Joins the known texts of the items, and those that `make` encodes. A long conversation has hundreds of them. */
const joinJson = <A extends object>(items: ReadonlyArray<A>, make: (item: A) => string): string => {
  let all = ""
  for (const item of items) {
    const text = texts.get(item) ?? make(item)
    if (text !== "") all += all === "" ? text : `,${text}`
  }
  return all
}

const cacheText = (item: object, text: string): string => {
  texts.set(item, text)
  return text
}

const toolText = (declared: Tool): string =>
  cacheText(declared, declared.type === "function" ? JSON.stringify(tool(declared)) : "")

/** Returns the text of a message, or several with commas between them. Images are large, and their texts not cached. */
const messageText = (message: LanguageModelV4Message): string =>
  message.role === "assistant" || (message.role === "tool" && message.content.every(isText))
    ? cacheText(message, encode(message))
    : encode(message)

const encode = (message: LanguageModelV4Message): string =>
  messages(message)
    .map((value) => JSON.stringify(value))
    .join(",")

const isText = (part: ToolPart): boolean => part.type === "tool-result" && part.output.type !== "content"

const tool = ({ description, inputSchema, name }: Extract<Tool, { readonly type: "function" }>): unknown => ({
  type: "function",
  function: { name, description, parameters: inputSchema }
})

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
      return [render(message)]
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

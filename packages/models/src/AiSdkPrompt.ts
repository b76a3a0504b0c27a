/** Converts the port's prompt to the AI SDK's form. */
import type {
  LanguageModelV4FilePart,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions
} from "@ai-sdk/provider"
import type { Message } from "@bough/protocol"
import type { Model } from "@bough/runtime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as DeclaredInPlace from "./DeclaredInPlace.ts"

type ToolResult = Extract<Model.PromptMessage, { readonly _tag: "ToolResult" }>

/** The differences between providers in the accepted form of a prompt. */
export interface Manners {
  /**
   * True if tool results may contain images; otherwise a user message with the images follows the step's last result.
   */
  readonly mediaInToolResults: boolean
  /**
   * The option that makes the provider cache the prompt up to a message; null: the provider caches without an option,
   * or has no cache.
   */
  readonly cacheMark: SharedV4ProviderOptions | null
  /**
   * How a call's result declares tools; null: they are declared together with the other tools, which invalidates the
   * cache.
   */
  readonly declares: DeclaredInPlace.DeclaredInPlace | null
}

export const messages = (prompt: Model.Prompt, manners: Manners): LanguageModelV4Prompt => {
  const { cacheMark } = manners
  const plain = toMessages(prompt, manners)
  return cacheMark === null ? plain : markLast(plain, cacheMark)
}

/**
 * Adds cache marks. Prompts only grow, so this prompt is the beginning of the next one. The marks are after the system
 * prompt, after the previous prompt, which is cached already, and at the end, so that this prompt is cached too.
 */
const markLast = (messages: LanguageModelV4Prompt, mark: SharedV4ProviderOptions): LanguageModelV4Prompt => {
  const before = messages.findLastIndex(({ role }) => role === "assistant") - 1
  return messages.map((message, index) =>
    message.role === "system" || index === before || index === messages.length - 1
      ? { ...message, providerOptions: mark }
      : message
  )
}

const toMessages = (prompt: Model.Prompt, { declares, mediaInToolResults }: Manners): LanguageModelV4Prompt => {
  const declared = DeclaredInPlace.byCall(prompt)
  const out: LanguageModelV4Prompt = prompt.system === "" ? [] : [{ role: "system", content: prompt.system }]
  /** Calls of the newest assistant message without a result yet: only those may be answered as tool results. */
  const open = new Set<string>()
  let shown: Array<LanguageModelV4TextPart | LanguageModelV4FilePart> = []
  const flush = () => {
    out.push({ role: "user", content: shown })
    shown = []
  }
  // Every step runs this loop over the whole conversation, so it calls nothing for a message that it has converted.
  for (const message of prompt.messages) {
    if (message._tag === "ToolResult" && open.delete(message.providerCallId)) {
      const media = mediaInToolResults ? message.media : []
      const tools = declared.get(message.toolCallId)
      const isDeclaring = declares !== null && tools !== undefined
      out.push(
        isDeclaring
          ? { role: "tool", content: [declares.result(toolResult(message, media), tools)] }
          : message.media.length === 0
            ? (textResults.get(message) ?? textResult(message))
            : { role: "tool", content: [toolResult(message, media)] }
      )
      if (media.length < message.media.length) {
        shown.push({ type: "text", text: `Images of ${message.name}:` }, ...message.media.map(file))
      }
      continue
    }
    if (shown.length > 0) flush()
    if (message._tag === "User") {
      out.push({ role: "user", content: [...words(message), ...message.media.map(file)] })
    } else if (message._tag === "ToolResult") {
      // A result that arrives after the conversation has continued becomes a message, because providers refuse a second
      // or late result of a call.
      const text = `Result of the earlier call of ${message.name}: ${message.output}`
      out.push({ role: "user", content: [{ type: "text", text }, ...message.media.map(file)] })
    } else {
      const reply = rendered.get(message.parts) ?? assistantMessage(message.parts)
      if (reply.content.length === 0) continue
      open.clear()
      for (const part of message.parts) if (part._tag === "ToolCall") open.add(part.providerCallId)
      out.push(reply)
    }
  }
  if (shown.length > 0) flush()
  return out
}

/** True if a text has no letter: some providers refuse a prompt with such a text, and with it the whole session. */
const isBlank = (text: string): boolean => !/\S/u.test(text)

/** Returns the texts of a message: an image may have no text. */
const words = ({ media, text }: { readonly text: string; readonly media: ReadonlyArray<unknown> }) =>
  !isBlank(text)
    ? [{ type: "text", text } satisfies LanguageModelV4TextPart]
    : media.length > 0
      ? []
      : [{ type: "text", text: "(empty message)" } satisfies LanguageModelV4TextPart]

export const tools = (prompt: Model.Prompt, { declares }: Manners): Array<LanguageModelV4FunctionTool> => {
  if (declares === null) return prompt.tools.map(tool)
  const inPlace = new Set([...DeclaredInPlace.byCall(prompt).values()].flat())
  const others = prompt.tools.filter((one) => !inPlace.has(one))
  return [...others.map(tool), ...[...inPlace].flatMap((one) => declares.tool(tool(one)))]
}

const declarations = new WeakMap<Model.ToolDeclaration, LanguageModelV4FunctionTool>()

/** Converts a declaration once: a client may cache its encoded form. */
const tool = (declaration: Model.ToolDeclaration): LanguageModelV4FunctionTool => {
  const known = declarations.get(declaration)
  if (known !== undefined) return known
  const { description, name, parameters } = declaration
  const functionTool: LanguageModelV4FunctionTool = { type: "function", name, description, inputSchema: parameters }
  declarations.set(declaration, functionTool)
  return functionTool
}

const textResults = new WeakMap<ToolResult, LanguageModelV4Message>()

/** Converts a result without images once: like a reply, it is sent unchanged with every later prompt. */
const textResult = (message: ToolResult): LanguageModelV4Message => {
  const toolMessage: LanguageModelV4Message = { role: "tool", content: [toolResult(message, [])] }
  textResults.set(message, toolMessage)
  return toolMessage
}

const toolResult = (message: ToolResult, media: ReadonlyArray<Message.Media>): LanguageModelV4ToolResultPart => ({
  type: "tool-result",
  toolCallId: message.providerCallId,
  toolName: message.name,
  output: output(message, media)
})

const rendered = new WeakMap<ReadonlyArray<Message.ReplyPart>, LanguageModelV4Message>()

/**
 * Converts a reply. It is sent unchanged with every later prompt, so its arguments are decoded once and not at each
 * step.
 */
const assistantMessage = (parts: ReadonlyArray<Message.ReplyPart>): LanguageModelV4Message => {
  const renderedParts = render(parts)
  rendered.set(parts, renderedParts)
  return renderedParts
}

const render = (parts: ReadonlyArray<Message.ReplyPart>): LanguageModelV4Message => ({
  role: "assistant",
  content: parts
    .filter((part) => part._tag !== "Text" || !isBlank(part.text))
    .map((part): LanguageModelV4TextPart | LanguageModelV4ReasoningPart | LanguageModelV4ToolCallPart => {
      if (part._tag === "Text") return { type: "text", text: part.text }
      const providerOptions = part.signature === undefined ? null : unsign(part.signature)
      const signature = providerOptions === null ? {} : { providerOptions }
      if (part._tag === "Reasoning") return { type: "reasoning", text: part.text, ...signature }
      return {
        type: "tool-call",
        toolCallId: part.providerCallId,
        toolName: part.name,
        input: input(part.arguments),
        ...signature
      }
    })
})

const output = (result: ToolResult, media: ReadonlyArray<Message.Media>): LanguageModelV4ToolResultOutput => {
  if (media.length > 0) return { type: "content", value: [{ type: "text", text: result.output }, ...media.map(file)] }
  return result.isError ? { type: "error-text", value: result.output } : { type: "text", value: result.output }
}

const file = ({ data, mediaType }: Message.Media): LanguageModelV4FilePart => ({
  type: "file",
  data: { type: "data", data },
  mediaType
})

/**
 * Returns the arguments as an object, which providers require: malformed arguments are wrapped in an object, so that
 * the model sees them.
 */
const input = (text: string): unknown => {
  const value = Result.getOrNull(Result.try(() => JSON.parse(text) as unknown))
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : { malformed_arguments: text }
}

const Signature = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Json)))
const decodeSignature = Schema.decodeUnknownOption(Signature)

/** Encodes a provider's metadata as the text that the journal stores. */
export const sign = (metadata: SharedV4ProviderOptions): string => JSON.stringify(metadata)

/** Decodes a signature; null: `sign` did not write it. */
const unsign = (signature: string): SharedV4ProviderOptions | null =>
  Option.getOrNull(decodeSignature(signature)) as SharedV4ProviderOptions | null

/**
 * Tools that the result of a call declares, in each provider's own format. The prompt before the result is unchanged,
 * so the provider's cache remains valid. Sources: adr/0088-tools-declared-in-place.md.
 */
import type { JSONObject, LanguageModelV4FunctionTool, LanguageModelV4ToolResultPart } from "@ai-sdk/provider"
import type { Session } from "@bough/protocol"
import type { Model } from "@bough/runtime"
import { type Environment, variable } from "./Provider.ts"

type Tools = ReadonlyArray<Model.ToolDeclaration>

/** The format of one provider. */
export interface DeclaredInPlace {
  readonly result: (result: LanguageModelV4ToolResultPart, tools: Tools) => LanguageModelV4ToolResultPart
  /** The additional declaration among the other tools that some providers need; none: this provider needs none. */
  readonly tool: (tool: LanguageModelV4FunctionTool) => ReadonlyArray<LanguageModelV4FunctionTool>
}

/** Anthropic excludes a tool with this mark from the prompt until a result refers to the tool. */
export const toolReferences: DeclaredInPlace = {
  result: (result, tools) => ({
    ...result,
    output: {
      type: "content",
      value: tools.map(({ name }) => ({
        type: "custom",
        providerOptions: { anthropic: { type: "tool-reference", toolName: name } }
      }))
    }
  }),
  tool: (tool) => [{ ...tool, providerOptions: { anthropic: { deferLoading: true } } }]
}

/** OpenAI accepts declarations as an item of the conversation. */
export const additionalTools: DeclaredInPlace = {
  result: (result, tools) => ({
    ...result,
    providerOptions: {
      openai: {
        additionalTools: tools.map(({ description, name, parameters }) => ({
          type: "function",
          name,
          description,
          // The schema is JSON, which its type does not express.
          parameters: parameters as JSONObject,
          strict: false
        }))
      }
    }
  }),
  tool: () => []
}

/** The tools that a result of the prompt declares, by its call, for calls whose result is sent as a declaration. */
export const byCall = ({ messages, tools }: Model.Prompt): ReadonlyMap<Session.ToolCallId, Tools> => {
  const found = new Map<Session.ToolCallId, Array<Model.ToolDeclaration>>()
  for (const tool of tools) {
    if (tool.declaredBy === undefined) continue
    const others = found.get(tool.declaredBy)
    if (others === undefined) found.set(tool.declaredBy, [tool])
    else others.push(tool)
  }
  if (found.size === 0) return found
  const answered = answeredCalls(messages)
  for (const callId of found.keys()) if (!answered.has(callId)) found.delete(callId)
  return found
}

/** Calls whose result precedes the next message of the conversation. */
const answeredCalls = (messages: Model.Prompt["messages"]): ReadonlySet<Session.ToolCallId> => {
  const answered = new Set<Session.ToolCallId>()
  let open = new Set<string>()
  for (const message of messages) {
    if (message._tag === "Assistant") {
      open = new Set(message.parts.flatMap((part) => (part._tag === "ToolCall" ? [part.providerCallId] : [])))
    } else if (message._tag === "ToolResult" && open.delete(message.providerCallId) && !message.isError) {
      answered.add(message.toolCallId)
    }
  }
  return answered
}

/** The variable that overrides the choice, because intermediate servers often support neither format. */
const switchName = "BOUGH_TOOLS_IN_PLACE"

export interface ProviderModel {
  readonly environment: Environment
  readonly model: string
  readonly baseUrl: string
}

const chooseByModel = (way: DeclaredInPlace, models: RegExp, host: string) => (place: ProviderModel) => {
  const wanted = variable(place.environment, [switchName])?.value
  if (wanted === "off" || !models.test(place.model)) return null
  return wanted === "on" || URL.parse(place.baseUrl)?.hostname === host ? way : null
}

/** Claude supports references from version 4.5 on. */
export const forClaude = chooseByModel(
  toolReferences,
  /claude-(?:(?:opus|sonnet|haiku)-(?:4-[5-9]\b|[5-9])|fable-)/u,
  "api.anthropic.com"
)

/** GPT supports additional tools from version 5.4 on. */
export const forGpt = chooseByModel(additionalTools, /^gpt-(?:5\.[4-9]|[6-9])/u, "api.openai.com")

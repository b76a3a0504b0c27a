/** The events of a chat completion, one at a time, as the AI SDK's stream parts. */
import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as ChatCalls from "./ChatCalls.ts"
import * as JsonGuards from "./JsonGuards.ts"

const { isAny, isObject, isString, list, nullish, record } = JsonGuards

const isDelta = record({
  content: isAny,
  // Some servers send false if there is no refusal.
  refusal: isAny,
  reasoning_content: nullish(isString),
  // Some servers use this field instead.
  reasoning: nullish(isString),
  tool_calls: nullish(list(ChatCalls.isDelta))
})
type Delta = JsonGuards.GuardedType<typeof isDelta>

const isEvent = record({
  choices: list(record({ delta: nullish(isDelta), finish_reason: nullish(isString) })),
  usage: isAny
})

/** Its counts are checked in `AiSdkParts`, for all protocols: an invalid count is not a reason to lose the answer. */
type Usage = Readonly<Record<string, unknown>>

/** The data of the event after the last part. A server may keep the connection open after it. */
export const doneMark = "[DONE]"

/** Reads one answer; each answer needs its own reader. */
export interface Reader {
  /** The data of one event. */
  readonly event: (data: string) => ReadonlyArray<LanguageModelV4StreamPart>
  /** Called at the end of the stream. Without a finish, the answer was truncated. */
  readonly end: () => ReadonlyArray<LanguageModelV4StreamPart>
}

export const reader = (): Reader => {
  const calls = ChatCalls.assembler()
  let finish: string | null = null
  let usage: Usage | null = null
  let refused = false

  const delta = (said: Delta): ReadonlyArray<LanguageModelV4StreamPart> => {
    const refusal = typeof said.refusal === "string" ? said.refusal : ""
    refused ||= refusal !== ""
    return [
      ...reasoningParts(said.reasoning_content ?? said.reasoning ?? ""),
      ...contents(said.content),
      ...text(refusal),
      ...(said.tool_calls ?? []).flatMap(calls.read)
    ]
  }

  return {
    event: (data) => {
      if (data === doneMark) return []
      const json = Result.try(() => JSON.parse(data) as unknown)
      if (Result.isFailure(json)) return [failed("JSONParseError", "an event is not JSON")]
      const event = json.success
      if (!isEvent(event)) {
        return [
          isObject(event) && "error" in event
            ? { type: "error", error: event["error"] }
            : failed("TypeValidationError", "an event is not part of a chat completion")
        ]
      }
      const { choices, usage: counts } = event
      if (isObject(counts)) usage = counts
      const [choice] = choices
      finish = choice?.finish_reason ?? finish
      return choice?.delta ? delta(choice.delta) : []
    },
    end: () =>
      finish === null
        ? []
        : [...calls.end(), { type: "finish", finishReason: reason(finish, refused), usage: toUsage(usage) }]
  }
}

const failed = (name: string, message: string): LanguageModelV4StreamPart => ({
  type: "error",
  error: { name, message }
})

const text = (delta: string): ReadonlyArray<LanguageModelV4StreamPart> =>
  delta === "" ? [] : [{ type: "text-delta", id: "text", delta }]

const reasoningParts = (delta: string): ReadonlyArray<LanguageModelV4StreamPart> =>
  delta === "" ? [] : [{ type: "reasoning-delta", id: "reasoning", delta }]

const Word = Schema.Struct({ type: Schema.Literal("text"), text: Schema.String })
const Thought = Schema.Struct({ type: Schema.Literal("thinking"), thinking: Schema.Array(Word) })
const decodePart = Schema.decodeUnknownOption(Schema.Union([Word, Thought]))

/** Returns the parts of a content: text, or a list of parts, of which text and thoughts are known. */
const contents = (content: unknown): ReadonlyArray<LanguageModelV4StreamPart> => {
  if (typeof content === "string") return text(content)
  if (!Array.isArray(content)) return []
  return content.flatMap((item) =>
    Option.match(decodePart(item), {
      onNone: () => [],
      onSome: (part) =>
        part.type === "text" ? text(part.text) : reasoningParts(part.thinking.map(({ text }) => text).join(""))
    })
  )
}

const reason = (raw: string, refused: boolean): LanguageModelV4FinishReason => {
  switch (raw) {
    case "stop":
      return { unified: refused ? "content-filter" : "stop", raw }
    case "length":
      return { unified: "length", raw }
    case "content_filter":
      return { unified: "content-filter", raw }
    case "function_call":
    case "tool_calls":
      return { unified: "tool-calls", raw }
    default:
      return { unified: "other", raw }
  }
}

const toUsage = (usage: Usage | null): LanguageModelV4Usage => {
  const details = usage?.["prompt_tokens_details"]
  return {
    inputTokens: {
      total: definedCount(usage?.["prompt_tokens"]),
      noCache: undefined,
      cacheRead: definedCount(isObject(details) ? details["cached_tokens"] : undefined),
      cacheWrite: undefined
    },
    outputTokens: { total: definedCount(usage?.["completion_tokens"]), text: undefined, reasoning: undefined }
  }
}

/** Returns the count unchecked, because `AiSdkParts` checks it. */
const definedCount = (count: unknown): number | undefined => (count ?? undefined) as number | undefined

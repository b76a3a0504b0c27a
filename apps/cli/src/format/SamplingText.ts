/** Formats the requests of tools to a model as sentences for users; not escaped. Pure. */
import type { Entry } from "@bough/protocol"

/** Reports a request. */
export const headline = ({ messages, model, requester, system }: Entry.BodyOf<"SamplingStarted">): string => {
  const characters = messages.reduce((sum, { text }) => sum + text.length, system.length)
  return `${requester} asks ${model}: ${messages.length === 1 ? "1 message" : `${messages.length} messages`}, ${characters} characters`
}

/** Reports the end of a request. */
export const samplingEndText = ({ failure, model, text, usage }: Entry.BodyOf<"SamplingEnded">): string =>
  failure === null
    ? `${model} answered the tool: ${text.length} characters, ${usage.inputTokens + usage.outputTokens} tokens`
    : `${model} gave the tool no answer: ${failure}`

/** Formats the complete text of a request. */
export const request = ({ messages, system }: Entry.BodyOf<"SamplingStarted">): string =>
  [...(system === "" ? [] : [`system: ${system}`]), ...messages.map(({ role, text }) => `${role}: ${text}`)].join("\n")

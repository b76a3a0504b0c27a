/**
 * Parameters of OpenAI's requests that a hosted agent cannot honour. A request that depends on one is refused; parameters that
 * only tune a model (temperature, seed, token limits) are accepted and left to the agent's own settings.
 */
import * as OpenAiError from "./OpenAiError.ts"

type Parameters = Readonly<Record<string, unknown>>

interface Rule {
  readonly isHarmless: (value: unknown) => boolean
  readonly why: string
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null
const isEmpty = (value: unknown): boolean =>
  isAbsent(value) || value === false || (typeof value === "object" && Object.keys(value as object).length === 0)
const isOneOf =
  (...values: ReadonlyArray<unknown>) =>
  (value: unknown): boolean =>
    isAbsent(value) || values.includes(value)
const isTextFormat = (value: unknown): boolean =>
  isAbsent(value) || (value as { readonly type?: unknown }).type === "text"

const ownTools: Rule = { isHarmless: isEmpty, why: "the agent runs its own tools, not the client's" }
const oneSession: Rule = { isHarmless: isEmpty, why: "the answer comes in the request" }

const common: Readonly<Record<string, Rule>> = {
  tools: ownTools,
  tool_choice: { isHarmless: isOneOf("auto", "none"), why: ownTools.why },
  top_logprobs: { isHarmless: isOneOf(0), why: "the agent's models return no probabilities" }
}

const chatRules: Readonly<Record<string, Rule>> = {
  ...common,
  n: { isHarmless: isOneOf(1), why: "an agent gives one answer; make several requests" },
  logprobs: { isHarmless: isOneOf(false), why: "the agent's models return no probabilities" },
  functions: ownTools,
  function_call: { isHarmless: isOneOf("auto", "none"), why: ownTools.why },
  response_format: { isHarmless: isTextFormat, why: "the agent answers in text" },
  audio: { isHarmless: isEmpty, why: "the agent answers in text" },
  modalities: {
    isHarmless: (value) => isAbsent(value) || (Array.isArray(value) && value.every((each) => each === "text")),
    why: "the agent answers in text"
  },
  stop: { isHarmless: isEmpty, why: "the agent ends its answers by itself" },
  logit_bias: { isHarmless: isEmpty, why: "the agent's model takes none" },
  prediction: { isHarmless: isEmpty, why: "the agent's model takes none" },
  web_search_options: { isHarmless: isAbsent, why: ownTools.why }
}

const responsesRules: Readonly<Record<string, Rule>> = {
  ...common,
  background: oneSession,
  conversation: { isHarmless: isAbsent, why: "name the conversation by previous_response_id" },
  prompt: { isHarmless: isAbsent, why: "there are no stored prompts" },
  text: {
    isHarmless: (value) => isAbsent(value) || isTextFormat((value as { readonly format?: unknown }).format),
    why: "the agent answers in text"
  },
  include: {
    isHarmless: (value) => isAbsent(value) || (Array.isArray(value) && !value.includes("message.output_text.logprobs")),
    why: "the agent's models return no probabilities"
  }
}

const refusalBy =
  (rules: Readonly<Record<string, Rule>>) =>
  (parameters: Parameters): OpenAiError.OpenAiError | null => {
    for (const [name, { isHarmless, why }] of Object.entries(rules)) {
      if (!isHarmless(parameters[name])) return OpenAiError.unsupported(name, why)
    }
    return null
  }

/** The first parameter of a chat completion that cannot be honoured; null: all are supported. */
export const refuseChat = refusalBy(chatRules)

/** Refuses parameters of a response request. */
export const refuseResponses = refusalBy(responsesRules)

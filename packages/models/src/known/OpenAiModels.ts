/**
 * OpenAI's models. A context window includes the answer: the limit of a prompt is the window minus the longest answer.
 */
import { type KnownModel, rates, type Source, type ModelRow } from "./KnownModel.ts"

const source: Source = { url: "https://developers.openai.com/api/docs/pricing", asOf: "2026-11-05" }

/**
 * A request with more than 272,000 tokens of input costs twice as much for all input and one and a half times as much
 * for all output.
 */
const withLongPrompts = (price: ModelRow, contextTokens: number): KnownModel => {
  const [input, cached, output, written] = price
  const twice: ModelRow =
    written === undefined ? [input * 2, cached * 2, output * 1.5] : [input * 2, cached * 2, output * 1.5, written * 2]
  return { price: { ...rates(price), longPrompt: { aboveTokens: 272_000, ...rates(twice) } }, contextTokens, source }
}

const flat = (price: ModelRow, contextTokens: number): KnownModel => ({
  price: rates(price),
  contextTokens,
  source
})

/** The documentation page of one model, as archived on that day. */
const page = (model: string, asOf: string): Source => ({
  url: `https://developers.openai.com/api/docs/models/${model}`,
  asOf
})

/** The model for background work. */
export const small = "gpt-6-luna"

export const models: Readonly<Record<string, KnownModel>> = {
  "gpt-6.1-terra": withLongPrompts([1, 0.05, 5, 1.25], 922_000),
  "gpt-6.1-sol": { ...withLongPrompts([2, 0.1, 10, 2.5], 922_000), source: page("gpt-6.1-sol", "2026-10-01") },
  "gpt-6-astra": withLongPrompts([10, 1, 50, 12.5], 922_000),
  "gpt-6-sol": withLongPrompts([2, 0.2, 10, 2.5], 922_000),
  "gpt-6-luna": withLongPrompts([0.1, 0.01, 0.5, 0.125], 922_000),
  // The prices of these models are omitted, because copies of the page contradict each other.
  "gpt-5.6-sol": { price: null, contextTokens: 922_000, source: page("gpt-5.6-sol", "2026-11-22") },
  "gpt-5.6": { price: null, contextTokens: 922_000, source: page("gpt-5.6-sol", "2026-11-22") },
  "gpt-5.1": flat([1.25, 0.125, 10], 272_000),
  "gpt-5": flat([1.25, 0.125, 10], 272_000),
  "gpt-5-mini": flat([0.25, 0.025, 2], 272_000),
  "gpt-5-nano": flat([0.05, 0.005, 0.4], 272_000),
  "gpt-4.1": flat([2, 0.5, 8], 1_047_576),
  "gpt-4.1-mini": flat([0.4, 0.1, 1.6], 1_047_576),
  "gpt-4o": flat([2.5, 1.25, 10], 128_000),
  "gpt-4o-mini": flat([0.15, 0.075, 0.6], 128_000)
}

/**
 * Anthropic's models. Writing to the cache, for five minutes, costs a quarter more than input; the price of reading
 * differs by model.
 */
import { type KnownModel, rates, type Source } from "./KnownModel.ts"

const source: Source = { url: "https://platform.claude.com/docs/en/about-claude/pricing", asOf: "2026-10-10" }

const claude = (price: readonly [input: number, cached: number, output: number], contextTokens: number): KnownModel => {
  const [input] = price
  return { price: rates([...price, input * 1.25]), contextTokens, source }
}

/** The model for background work. */
export const small = "claude-haiku-5-5"

export const models: Readonly<Record<string, KnownModel>> = {
  "claude-fable-5-1": claude([10, 0.25, 50], 1_000_000),
  "claude-fable-5": claude([10, 1, 50], 1_000_000),
  "claude-opus-5-5": claude([4, 0.2, 20], 1_000_000),
  "claude-opus-5": claude([5, 0.5, 25], 1_000_000),
  "claude-opus-4-8": claude([5, 0.5, 25], 1_000_000),
  "claude-opus-4-7": claude([5, 0.5, 25], 1_000_000),
  "claude-opus-4-6": claude([5, 0.5, 25], 1_000_000),
  "claude-opus-4-5": claude([5, 0.5, 25], 200_000),
  "claude-sonnet-5-5": claude([2, 0.1, 10], 1_000_000),
  "claude-sonnet-5": claude([2, 0.2, 10], 1_000_000),
  "claude-sonnet-4-6": {
    ...claude([3, 0.3, 15], 1_000_000),
    source: { url: "https://platform.claude.com/docs/en/models/sonnet-4-6/overview", asOf: "2026-11-22" }
  },
  "claude-sonnet-4-5": claude([3, 0.3, 15], 200_000),
  "claude-haiku-5-5": {
    price: {
      ...rates([0.1, 0.01, 0.5, 0.125]),
      longPrompt: { aboveTokens: 100_000, ...rates([0.5, 0.05, 2.5, 0.625]) }
    },
    contextTokens: 1_000_000,
    source
  },
  "claude-haiku-4-5": claude([1, 0.1, 5], 200_000)
}

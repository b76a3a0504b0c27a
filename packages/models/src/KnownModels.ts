/**
 * Prices and context sizes of models that are sure, as their providers published them on the day of `asOf`. A model
 * that is not here has an unknown price, never none; configuration wins over this table.
 */
import type { Price } from "./Price.ts"

export interface KnownModel {
  readonly price: Price | null
  /** Tokens that a prompt may have. */
  readonly contextTokens: number
}

/** `source` is where the provider publishes them; prices are US dollars per million tokens at its standard tier. */
interface Table {
  readonly asOf: string
  readonly source: string
  readonly models: Readonly<Record<string, KnownModel>>
}

/** Writing to the cache, for five minutes, costs a quarter more than input; reading from it a tenth. */
const claude = (input: number, output: number): KnownModel => ({
  price: {
    inputPerMillionUsd: input,
    cachedInputPerMillionUsd: input / 10,
    writtenInputPerMillionUsd: input * 1.25,
    outputPerMillionUsd: output
  },
  contextTokens: 200_000
})

const known = (price: readonly [input: number, cached: number, output: number], contextTokens: number): KnownModel => ({
  price: { inputPerMillionUsd: price[0], cachedInputPerMillionUsd: price[1], outputPerMillionUsd: price[2] },
  contextTokens
})

const openAi: Table = {
  asOf: "2025-12-01",
  source: "https://platform.openai.com/docs/pricing",
  models: {
    "gpt-5.1": known([1.25, 0.125, 10], 272_000),
    "gpt-5": known([1.25, 0.125, 10], 272_000),
    "gpt-5-mini": known([0.25, 0.025, 2], 272_000),
    "gpt-5-nano": known([0.05, 0.005, 0.4], 272_000),
    "gpt-4.1": known([2, 0.5, 8], 1_047_576),
    "gpt-4.1-mini": known([0.4, 0.1, 1.6], 1_047_576),
    "gpt-4.1-nano": known([0.1, 0.025, 0.4], 1_047_576),
    "gpt-4o": known([2.5, 1.25, 10], 128_000),
    "gpt-4o-mini": known([0.15, 0.075, 0.6], 128_000)
  }
}

/** By the part of a model's name before the slash. */
export const tables: Readonly<Record<string, Table>> = {
  anthropic: {
    asOf: "2025-12-01",
    source: "https://docs.claude.com/en/docs/about-claude/pricing",
    models: {
      "claude-opus-4-5": claude(5, 25),
      "claude-sonnet-4-5": claude(3, 15),
      "claude-haiku-4-5": claude(1, 5),
      "claude-opus-4-1": claude(15, 75)
    }
  },
  openai: openAi,
  "openai-chat": openAi,
  google: {
    asOf: "2025-12-01",
    source: "https://ai.google.dev/gemini-api/docs/pricing",
    models: {
      // Its price depends on the length of the prompt, which a price here cannot say.
      "gemini-2.5-pro": { price: null, contextTokens: 1_048_576 },
      "gemini-2.5-flash": known([0.3, 0.03, 2.5], 1_048_576),
      "gemini-2.5-flash-lite": known([0.1, 0.01, 0.4], 1_048_576)
    }
  }
}

/** By whole name, `provider/model`; a dated name is the model that it is a snapshot of. Null: not known. */
export const find = (name: string): KnownModel | null => {
  const slash = name.indexOf("/")
  const models = tables[name.slice(0, slash)]?.models ?? {}
  const model = name.slice(slash + 1)
  const undated = model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "")
  for (const key of [model, undated]) if (Object.hasOwn(models, key)) return models[key]
  return null
}

/** Google's models. The hourly price of the cache is not counted, because no explicit cache is used. */
import { type KnownModel, rates, type Source, type ModelRow } from "./KnownModel.ts"

const source: Source = { url: "https://ai.google.dev/gemini-api/docs/pricing", asOf: "2026-10-07" }

const gemini = (price: ModelRow): KnownModel => ({ price: rates(price), contextTokens: 1_048_576, source })

/**
 * Gemini 4 has one window for prompt and answer: this limit is the window minus the answer length that its guide
 * suggests.
 */
const sharedWindow = 1_048_576 - 65_536
const latest: Source = {
  url: "https://ai.google.dev/gemini-api/docs/generate-content/latest-model",
  asOf: "2026-11-22"
}

/** The model for background work. */
export const small = "gemini-3.5-flash-lite"

export const models: Readonly<Record<string, KnownModel>> = {
  "gemini-4-argon": {
    price: rates([2, 0.1, 10]),
    // 2026-12-01
    later: { fromMillis: 1_796_083_200_000, price: rates([4, 0.2, 20]) },
    contextTokens: sharedWindow,
    source: latest
  },
  "gemini-3.8-flash": {
    ...gemini([0.75, 0.075, 3.75]),
    // 2027-01-01
    later: { fromMillis: 1_798_761_600_000, price: rates([1.5, 0.15, 7.5]) }
  },
  "gemini-3.5-flash-lite": gemini([0.3, 0.03, 2.5]),
  // The price of cached input could not be found for the next three.
  "gemini-4-carbon": { price: null, contextTokens: sharedWindow, source: latest },
  "gemini-3.5-flash": { price: null, contextTokens: 1_048_576, source },
  "gemini-3.1-pro-preview": { price: null, contextTokens: 1_048_576, source },
  "gemini-2.5-flash": gemini([0.3, 0.03, 2.5]),
  "gemini-2.5-flash-lite": gemini([0.1, 0.01, 0.4])
}

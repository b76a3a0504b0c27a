/**
 * The options of a request beside the prompt: the greatest length of the reply, the effort, and options of the
 * provider.
 */
import type { LanguageModelV4CallOptions, SharedV4ProviderOptions } from "@ai-sdk/provider"
import type { Effort } from "./Effort.ts"

export type RequestOptions = Pick<LanguageModelV4CallOptions, "maxOutputTokens" | "reasoning" | "providerOptions">

/**
 * The terms of a reply of at most so many tokens; undefined: as many as the provider gives. `cacheKey` names requests
 * with the same prefix, for providers that take such a name.
 */
export type RequestOptionsOf = (maxOutputTokens: number | undefined, cacheKey?: string) => RequestOptions

/** Adds the cache key as an option of the provider. */
export const withCacheKey =
  (terms: RequestOptionsOf, provider: string, option: string): RequestOptionsOf =>
  (maxOutputTokens, cacheKey) => {
    const options = terms(maxOutputTokens)
    if (cacheKey === undefined) return options
    const { providerOptions = {} } = options
    return {
      ...options,
      providerOptions: { ...providerOptions, [provider]: { ...providerOptions[provider], [option]: cacheKey } }
    }
  }

/** In the AI SDK's own words, which a package translates for its provider. */
export const requestOptionsOf =
  (effort: Effort | null, providerOptions: SharedV4ProviderOptions | null = null): RequestOptionsOf =>
  (maxOutputTokens) => ({
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(effort === null ? {} : { reasoning: effort }),
    ...(providerOptions === null ? {} : { providerOptions })
  })

/** Claude up to 4.5 reasons within a budget of tokens; later models decide by themselves. */
const thinksByBudget = (model: string): boolean =>
  /claude-(?:3-7-|(?:opus|sonnet|haiku)-4-(?:[0-5]\b|20\d{6}))/.test(model)

/** The part of the reply's tokens that thinking may use. */
const shares: Readonly<Record<Exclude<Effort, "none">, number>> = {
  minimal: 0.02,
  low: 0.1,
  medium: 0.3,
  high: 0.5,
  xhigh: 0.5,
  max: 0.5
}
/** No budget for thinking may be smaller, and no reply of such a model is longer. */
const [leastBudget, longestReply] = [1024, 128_000]

export interface Claude {
  readonly model: string
  readonly effort: Effort | null
  /** The provider's own way to ask for a budget. */
  readonly budget: (budgetTokens: number) => SharedV4ProviderOptions
}

/**
 * Packages add the budget for thinking to what a reply may have. Where that is bounded, the budget is a share of it:
 * both together stay within the bound. A limit that is too small for a share leaves all tokens to the answer.
 */
export const ofClaude =
  ({ budget, effort, model }: Claude): RequestOptionsOf =>
  (maxOutputTokens) => {
    const bounded = maxOutputTokens !== undefined && maxOutputTokens < longestReply
    if (!bounded || effort === null || effort === "none" || !thinksByBudget(model))
      return requestOptionsOf(effort)(maxOutputTokens)
    const budgetTokens = Math.floor(maxOutputTokens * shares[effort])
    return budgetTokens < leastBudget
      ? requestOptionsOf("none")(maxOutputTokens)
      : requestOptionsOf(null, budget(budgetTokens))(maxOutputTokens - budgetTokens)
  }

/**
 * The options of a request besides the prompt: the maximum length of the reply, the effort, and options of the
 * provider.
 */
import type { LanguageModelV4CallOptions, SharedV4ProviderOptions } from "@ai-sdk/provider"
import type { Effort } from "./Effort.ts"

export type RequestOptions = Pick<LanguageModelV4CallOptions, "maxOutputTokens" | "reasoning" | "providerOptions">

/**
 * Makes the options for a reply of at most that many tokens; undefined: the provider's own limit. `cacheKey` identifies
 * requests with the same prefix, for providers that accept such a key.
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

/** Makes the options in the AI SDK's terms, which a package translates for its provider. */
export const requestOptionsOf =
  (effort: Effort | null, providerOptions: SharedV4ProviderOptions | null = null): RequestOptionsOf =>
  (maxOutputTokens) => ({
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(effort === null ? {} : { reasoning: effort }),
    ...(providerOptions === null ? {} : { providerOptions })
  })

/** True for Claude up to 4.5, which reasons within a budget of tokens; later models decide by themselves. */
const thinksByBudget = (model: string): boolean =>
  /claude-(?:3-7-|(?:opus|sonnet|haiku)-4-(?:[0-5]\b|20\d{6}))/.test(model)

/** The share of the reply's tokens that thinking may use. */
const shares: Readonly<Record<Exclude<Effort, "none">, number>> = {
  minimal: 0.02,
  low: 0.1,
  medium: 0.3,
  high: 0.5,
  xhigh: 0.5,
  max: 0.5
}
/** The minimum budget for thinking, and the maximum reply of such a model. */
const [minBudget, longestReply] = [1024, 128_000]

export interface Claude {
  readonly model: string
  readonly effort: Effort | null
  /** Makes the provider's own option for a budget. */
  readonly budget: (budgetTokens: number) => SharedV4ProviderOptions
}

/**
 * Makes the options for Claude. Packages add the budget for thinking to the limit of a reply. If the reply is limited,
 * the budget is a share of the limit, so that both together stay within it. If the limit is too small for a share, the
 * answer gets all tokens.
 */
export const forClaude =
  ({ budget, effort, model }: Claude): RequestOptionsOf =>
  (maxOutputTokens) => {
    const bounded = maxOutputTokens !== undefined && maxOutputTokens < longestReply
    if (!bounded || effort === null || effort === "none" || !thinksByBudget(model))
      return requestOptionsOf(effort)(maxOutputTokens)
    const budgetTokens = Math.floor(maxOutputTokens * shares[effort])
    return budgetTokens < minBudget
      ? requestOptionsOf("none")(maxOutputTokens)
      : requestOptionsOf(null, budget(budgetTokens))(maxOutputTokens - budgetTokens)
  }

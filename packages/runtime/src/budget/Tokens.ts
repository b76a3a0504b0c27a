/** Estimates tokens before a provider has counted them. */

/**
 * The rough number of characters per token: too low for prose and too high for code. Reports of the provider replace
 * the estimate.
 */
export const charactersPerToken = 4

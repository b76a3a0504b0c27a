/** Estimates tokens before a provider has counted them. */

/** A rough rate, too low for code and too high for prose; reports of the provider replace it. */
export const charactersPerToken = 4

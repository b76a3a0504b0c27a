/** How long texts are before a provider has counted them. */

/** A rough count, from below for code and from above for prose; what providers report replaces it. */
export const charactersPerToken = 4

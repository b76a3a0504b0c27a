/** The known costs of tokens. */

/**
 * US dollars per million tokens. Cached input, read or written, costs as much as other input unless it has its own
 * price.
 */
export interface Rates {
  readonly inputPerMillionUsd: number
  readonly cachedInputPerMillionUsd?: number
  readonly writtenInputPerMillionUsd?: number
  readonly outputPerMillionUsd: number
}

export interface Price extends Rates {
  /** The rates of the whole request if its prompt has more than `aboveTokens`. */
  readonly longPrompt?: Rates & { readonly aboveTokens: number }
}

/** `cachedInput` and `writtenInput` are parts of `input`: read from the provider's cache, and written to it. */
export interface Tokens {
  readonly input: number
  readonly cachedInput: number
  readonly writtenInput: number
  readonly output: number
}

/** US dollars of one request and its reply. */
export const costUsd = (price: Price, tokens: Tokens): number => {
  const rates = price.longPrompt !== undefined && tokens.input > price.longPrompt.aboveTokens ? price.longPrompt : price
  const cached = Math.min(tokens.cachedInput, tokens.input)
  const written = Math.min(tokens.writtenInput, tokens.input - cached)
  const plain = tokens.input - cached - written
  return (
    (plain * rates.inputPerMillionUsd +
      cached * (rates.cachedInputPerMillionUsd ?? rates.inputPerMillionUsd) +
      written * (rates.writtenInputPerMillionUsd ?? rates.inputPerMillionUsd) +
      tokens.output * rates.outputPerMillionUsd) /
    1_000_000
  )
}

/**
 * Returns the highest possible price of a prompt and an answer, regardless of the prompt's length and cached share.
 */
export const highestPrices = (
  price: Price
): { readonly inputPerMillionUsd: number; readonly outputPerMillionUsd: number } => {
  const all = price.longPrompt === undefined ? [price] : [price, price.longPrompt]
  return {
    inputPerMillionUsd: Math.max(
      ...all.flatMap((rates) => [
        rates.inputPerMillionUsd,
        rates.cachedInputPerMillionUsd ?? 0,
        rates.writtenInputPerMillionUsd ?? 0
      ])
    ),
    outputPerMillionUsd: Math.max(...all.map(({ outputPerMillionUsd }) => outputPerMillionUsd))
  }
}

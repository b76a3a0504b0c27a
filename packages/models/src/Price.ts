/** What tokens cost, where it is known. */

/** US dollars per million tokens. Input read from or written to a cache costs as much as other input unless it has its own price. */
export interface Price {
  readonly inputPerMillionUsd: number
  readonly cachedInputPerMillionUsd?: number
  readonly writtenInputPerMillionUsd?: number
  readonly outputPerMillionUsd: number
}

/** `cachedInput` and `writtenInput` are parts of `input`: read from the provider's cache, and put there. */
export interface Tokens {
  readonly input: number
  readonly cachedInput: number
  readonly writtenInput: number
  readonly output: number
}

export const costUsd = (price: Price, tokens: Tokens): number => {
  const cached = Math.min(tokens.cachedInput, tokens.input)
  const written = Math.min(tokens.writtenInput, tokens.input - cached)
  const plain = tokens.input - cached - written
  return (
    (plain * price.inputPerMillionUsd +
      cached * (price.cachedInputPerMillionUsd ?? price.inputPerMillionUsd) +
      written * (price.writtenInputPerMillionUsd ?? price.inputPerMillionUsd) +
      tokens.output * price.outputPerMillionUsd) /
    1_000_000
  )
}

/** What tokens cost, where somebody configured it. */

/** US dollars per million tokens. Cached input costs as much as other input unless it has its own price. */
export interface Price {
  readonly inputPerMillionUsd: number
  readonly cachedInputPerMillionUsd?: number
  readonly outputPerMillionUsd: number
}

/** `cachedInput` is part of `input`. */
export interface Tokens {
  readonly input: number
  readonly cachedInput: number
  readonly output: number
}

export const costUsd = (price: Price, tokens: Tokens): number => {
  const cached = Math.min(tokens.cachedInput, tokens.input)
  const cachedPrice = price.cachedInputPerMillionUsd ?? price.inputPerMillionUsd
  return (
    ((tokens.input - cached) * price.inputPerMillionUsd +
      cached * cachedPrice +
      tokens.output * price.outputPerMillionUsd) /
    1_000_000
  )
}

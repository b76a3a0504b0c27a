/** The known facts of a model: its price with the source of publication, and the maximum length of its prompt. */
import type { Price, Rates } from "../Price.ts"

/** The source of published prices, and the day on which they were read there or in a dated copy of it. */
export interface Source {
  readonly url: string
  /** The day, such as 2026-10-07. */
  readonly asOf: string
}

export interface KnownModel {
  /** US dollars at the provider's standard tier; null: not known. */
  readonly price: Price | null
  /** A price that its provider has announced for a later time. */
  readonly later?: { readonly fromMillis: number; readonly price: Price }
  /** The maximum number of tokens of a prompt. */
  readonly contextTokens: number
  readonly source: Source
}

/**
 * Prices per million tokens: plain input, input read from the cache, output, and, if it has a price, input written to
 * the cache.
 */
export type ModelRow = readonly [input: number, cached: number, output: number, written?: number]

export const rates = ([input, cached, output, written]: ModelRow): Rates => ({
  inputPerMillionUsd: input,
  cachedInputPerMillionUsd: cached,
  outputPerMillionUsd: output,
  ...(written === undefined ? {} : { writtenInputPerMillionUsd: written })
})

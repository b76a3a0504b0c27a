/** The known facts of a model: its price with the place where it is published, and the length of its prompt. */
import type { Price, Rates } from "../Price.ts"

/** Where prices are published, and the day on which they were read there or in a dated copy of it. */
export interface Source {
  readonly url: string
  /** As 2026-10-07. */
  readonly asOf: string
}

export interface KnownModel {
  /** US dollars at the provider's standard tier; null: not known. */
  readonly price: Price | null
  /** A price that its provider has announced for a later time. */
  readonly later?: { readonly fromMillis: number; readonly price: Price }
  /** Tokens that a prompt may have. */
  readonly contextTokens: number
  readonly source: Source
}

/** Per million tokens: plain input, input read from the cache, output, and input written to the cache where that has a price. */
export type Written = readonly [input: number, cached: number, output: number, written?: number]

export const rates = ([input, cached, output, written]: Written): Rates => ({
  inputPerMillionUsd: input,
  cachedInputPerMillionUsd: cached,
  outputPerMillionUsd: output,
  ...(written === undefined ? {} : { writtenInputPerMillionUsd: written })
})

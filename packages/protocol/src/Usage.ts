/** The usage of model calls. */
import * as Schema from "effect/Schema"

/** Token counts; `cachedInputTokens` is part of `inputTokens`. `costUsd` null: the price is not known, not zero. */
export const Usage = Schema.Struct({
  inputTokens: Schema.Natural,
  cachedInputTokens: Schema.Natural,
  outputTokens: Schema.Natural,
  costUsd: Schema.NullOr(Schema.Finite)
})
export type Usage = typeof Usage.Type

export const zero: Usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 }

/** Adds two counts, capped at the largest integer that can be stored and read back. */
export const plus = (a: number, b: number): number => Math.min(a + b, Number.MAX_SAFE_INTEGER)

/** Adds two costs; an unknown cost makes the sum unknown, and a negative one counts as 0. */
export const plusCost = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : Math.min(Math.max(a, 0) + Math.max(b, 0), Number.MAX_VALUE)

/** Adds usages; an unknown cost makes the sum unknown. */
export const add = (a: Usage, b: Usage): Usage => ({
  inputTokens: plus(a.inputTokens, b.inputTokens),
  cachedInputTokens: plus(a.cachedInputTokens, b.cachedInputTokens),
  outputTokens: plus(a.outputTokens, b.outputTokens),
  costUsd: plusCost(a.costUsd, b.costUsd)
})

/** What model calls used. */
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

/** Sums; an unknown cost makes the sum unknown. */
export const add = (a: Usage, b: Usage): Usage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd
})

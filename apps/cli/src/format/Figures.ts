/** Formats numbers of tokens, and costs. Pure. */
import type { Usage } from "@bough/protocol"
import { decimal, type SafeText, text } from "@bough/tui/text/SafeText"

/** Formats a number as `940`, `16.3k`, `200k`, `1M` or `1.1M`. */
export const thousands = (count: number): SafeText => {
  if (count < 1000) return text`${count}`
  if (count < 99_950) return text`${decimal(count / 1000, 1)}k`
  if (count < 999_500) return text`${decimal(count / 1000, 0)}k`
  // From 999,500 on, thousands would be rounded up to 1000k.
  const millions = Math.round(count / 100_000) / 10
  return text`${decimal(millions, Number.isInteger(millions) ? 0 : 1)}M`
}

/** Formats the tokens of model calls, with their cost if it is known. */
export const usage = ({ costUsd, inputTokens, outputTokens }: Usage.Usage): SafeText => {
  const cost = costUsd === null || costUsd === 0 ? text`` : text` · ${dollars(costUsd)}`
  return text`${thousands(inputTokens)} tokens in · ${thousands(outputTokens)} out${cost}`
}

/** Formats a cost; a small one with more digits, so that it is not rounded to zero. */
export const dollars = (cost: number): SafeText => text`$${decimal(cost, cost < 0.01 ? 5 : 2)}`

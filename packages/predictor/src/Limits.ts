/** The bounds of one prediction. */
import { Budget } from "@bough/protocol"

export interface Limits {
  /** The maximum number of model calls; default 16. */
  readonly steps?: number
  readonly inputTokens?: number
  readonly outputTokens?: number
  /** The maximum cost. A model whose price is not known is refused. */
  readonly costUsd?: number
  /** The time after which the prediction is interrupted, including the time of waiting for approvals. */
  readonly timeMillis?: number
}

const defaultSteps = 16

/** Converts the limits to the limits of a session's ledger, which have no time. */
export const toBudget = ({ costUsd, inputTokens, outputTokens, steps }: Limits): Budget.Limit => ({
  ...Budget.unlimited,
  steps: steps ?? defaultSteps,
  inputTokens: inputTokens ?? null,
  outputTokens: outputTokens ?? null,
  costUsd: costUsd ?? null
})

/** Returns the lower limit of the two in each dimension. */
export const lower = (one: Limits, other: Limits): Limits => {
  const bounds = ["steps", "inputTokens", "outputTokens", "costUsd", "timeMillis"] as const
  return Object.fromEntries(
    bounds.flatMap((bound) => {
      const maximum = Math.min(one[bound] ?? Infinity, other[bound] ?? Infinity)
      return maximum === Infinity ? [] : [[bound, maximum]]
    })
  )
}

/** Returns a sentence that explains why the limits are invalid; null: they are valid. */
export const faultOf = (limits: Limits): string | null => {
  const wrong = Object.entries(limits).find(([, bound]) => typeof bound !== "number" || !(bound > 0))
  if (wrong !== undefined) return `limits.${wrong[0]} must be a number above 0`
  const broken = (["steps", "inputTokens", "outputTokens", "timeMillis"] as const).find(
    (bound) => !Number.isSafeInteger(limits[bound] ?? 1)
  )
  return broken === undefined ? null : `limits.${broken} must be a whole number`
}

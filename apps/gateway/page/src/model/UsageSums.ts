/** Sums of the usage by day, model or session. Pure. */
import type { UsageRow } from "@bough/client"

export interface UsageSum {
  readonly key: string
  readonly tokens: number
  readonly steps: number
  /** The cost; null: the price of a model is not known. */
  readonly costUsd: number | null
}

export type UsageKey = "day" | "model" | "treeId"

/** Sums the rows by one of their keys. Days are in order; other keys are sorted by tokens, the highest number first. */
export const sumBy = (rows: ReadonlyArray<UsageRow>, key: UsageKey): ReadonlyArray<UsageSum> => {
  const sums = new Map<string, UsageSum>()
  for (const row of rows) {
    const before = sums.get(row[key]) ?? { key: row[key], tokens: 0, steps: 0, costUsd: 0 }
    sums.set(row[key], {
      key: row[key],
      tokens: before.tokens + row.inputTokens + row.outputTokens,
      steps: before.steps + row.steps,
      costUsd: before.costUsd === null || row.costUsd === null ? null : before.costUsd + row.costUsd
    })
  }
  return [...sums.values()].toSorted((a, b) => (key === "day" ? a.key.localeCompare(b.key) : b.tokens - a.tokens))
}

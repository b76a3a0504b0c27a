/**
 * The budget of a session and its descendants, and their usage. `@bough/runtime` has one ledger for each tree: Budget.
 */
import * as Schema from "effect/Schema"
import { plus, plusCost } from "./Usage.ts"

/** Upper bounds; null: no bound. `activeMillis` counts work, not waiting. */
export const Limit = Schema.Struct({
  inputTokens: Schema.NullOr(Schema.Natural),
  outputTokens: Schema.NullOr(Schema.Natural),
  costUsd: Schema.NullOr(Schema.Finite),
  activeMillis: Schema.NullOr(Schema.Natural),
  /** The number of model calls. */
  steps: Schema.NullOr(Schema.Natural),
  /** The number of sessions started. */
  spawns: Schema.NullOr(Schema.Natural)
})
export type Limit = typeof Limit.Type

/** `costUsd` null: the price of a part is not known, not zero. */
export const BudgetSpent = Schema.Struct({
  inputTokens: Schema.Natural,
  outputTokens: Schema.Natural,
  costUsd: Schema.NullOr(Schema.Finite),
  activeMillis: Schema.Natural,
  steps: Schema.Natural,
  spawns: Schema.Natural
})
export type BudgetSpent = typeof BudgetSpent.Type

/** No limit in any dimension. */
export const unlimited: Limit = {
  inputTokens: null,
  outputTokens: null,
  costUsd: null,
  activeMillis: null,
  steps: null,
  spawns: null
}

/** True if both limits are equal. */
export const isSame = (a: Limit, b: Limit): boolean =>
  a === b ||
  (a.inputTokens === b.inputTokens &&
    a.outputTokens === b.outputTokens &&
    a.costUsd === b.costUsd &&
    a.activeMillis === b.activeMillis &&
    a.steps === b.steps &&
    a.spawns === b.spawns)

/** The usage of a session that has done nothing. */
export const nothing: BudgetSpent = {
  inputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
  activeMillis: 0,
  steps: 0,
  spawns: 0
}

/** Adds usages; an unknown cost makes the sum unknown. */
export const add = (a: BudgetSpent, b: BudgetSpent): BudgetSpent => ({
  inputTokens: plus(a.inputTokens, b.inputTokens),
  outputTokens: plus(a.outputTokens, b.outputTokens),
  costUsd: plusCost(a.costUsd, b.costUsd),
  activeMillis: plus(a.activeMillis, b.activeMillis),
  steps: plus(a.steps, b.steps),
  spawns: plus(a.spawns, b.spawns)
})

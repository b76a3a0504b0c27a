/**
 * The ledger of a tree: a session's limit, the spending of the session and its descendants, and the amounts reserved
 * for running children. Pure; every number is a fold over the session's own journal.
 */
import { Budget } from "@bough/protocol"
import * as SessionState from "../journal/SessionState.ts"

/** One session's balance. `reserved`: the budgets of its running children, allocated and not yet returned. */
export interface Balance {
  readonly limit: Budget.Limit
  readonly spent: Budget.BudgetSpent
  readonly reserved: Budget.BudgetSpent
}

const dimensions = ["inputTokens", "outputTokens", "costUsd", "activeMillis", "steps", "spawns"] as const
export type Dimension = (typeof dimensions)[number]

/**
 * Returns the remaining budget; null: no limit. After an unknown cost it is 0, because the limit can no longer be
 * enforced.
 */
export const remainingOf = ({ limit, reserved, spent }: Balance, dimension: Dimension): number | null => {
  const max = limit[dimension]
  if (max === null) return null
  const [used, shared] = [spent[dimension], reserved[dimension]]
  return used === null || shared === null ? 0 : Math.max(0, max - used - shared)
}

/** The lower of two limits in each dimension. */
export const lower = (one: Budget.Limit, other: Budget.Limit): Budget.Limit => {
  const result: { -readonly [D in Dimension]: number | null } = { ...one }
  for (const dimension of dimensions) {
    const max = other[dimension]
    if (max !== null) result[dimension] = Math.min(result[dimension] ?? max, max)
  }
  return result
}

/** The smallest useful reply in tokens. A shorter reply is useless, and providers refuse a request for one. */
const minReplyTokens = 16

/** The maximum number of tokens of a reply. */
interface ReplyLimit {
  readonly tokens: number
  /** The limit that determines this number. */
  readonly dimension: "outputTokens" | "costUsd"
}

/** The tokens of a step's prompt, and the prices of its model; undefined: not known. */
export interface StepDemand {
  /** An upper bound of the prompt's tokens; 0 if no limit needs it. */
  readonly promptTokens: number
  readonly inputPerMillionUsd: number | undefined
  readonly outputPerMillionUsd: number | undefined
}

const replyLimit = (balance: Balance, demand: StepDemand): ReplyLimit | null => {
  const tokens = remainingOf(balance, "outputTokens")
  const paid = paidTokens(balance, demand)
  if (paid !== null && (tokens === null || paid < tokens)) return { tokens: paid, dimension: "costUsd" }
  return tokens === null ? null : { tokens, dimension: "outputTokens" }
}

/** Returns the money that remains after the prompt is paid; negative: the prompt cannot be paid; null: no limit. */
const usdForReply = (balance: Balance, { inputPerMillionUsd = 0, promptTokens }: StepDemand): number | null => {
  const usd = remainingOf(balance, "costUsd")
  return usd === null ? null : usd - (promptTokens * inputPerMillionUsd) / 1_000_000
}

const paidTokens = (balance: Balance, demand: StepDemand): number | null => {
  const usd = usdForReply(balance, demand)
  const { outputPerMillionUsd } = demand
  return usd === null || outputPerMillionUsd === undefined || outputPerMillionUsd === 0
    ? null
    : Math.floor((Math.max(0, usd) * 1_000_000) / outputPerMillionUsd)
}

/**
 * Returns the tokens that the next reply may have so that prompt and reply together stay within the remaining money;
 * null: no limit.
 */
export const replyTokens = (balance: Balance, demand: StepDemand): number | null =>
  replyLimit(balance, demand)?.tokens ?? null

/**
 * Returns the first limit that leaves too little for a step; null if all leave enough. Spawns are checked when a child
 * is started.
 */
export const exhaustedDimension = (balance: Balance, demand: StepDemand): Dimension | null => {
  const spent = dimensions.find((dimension) => dimension !== "spawns" && remainingOf(balance, dimension) === 0)
  if (spent !== undefined) return spent
  if ((remainingOf(balance, "inputTokens") ?? Infinity) < demand.promptTokens) return "inputTokens"
  if ((usdForReply(balance, demand) ?? 0) < 0) return "costUsd"
  const limit = replyLimit(balance, demand)
  return limit !== null && limit.tokens < minReplyTokens ? limit.dimension : null
}

/** The time that a parent reserves for itself when it starts a child, so that the other calls of its step can end. */
const parentMillis = 1000

/**
 * Returns a child's budget, which is `share` (above 0, at most 1) of the remaining amounts, or the dimension that is
 * used up. Starting the child costs one spawn, which is not part of its budget, and a second of the time stays with the
 * parent.
 */
export const childBudget = (balance: Balance, kind: "Branch" | "Worker", share: number): Budget.Limit | Dimension => {
  const part = (dimension: Dimension): number | null => {
    const rest = remainingOf(balance, dimension)
    if (rest === null) return null
    if (dimension === "costUsd") return rest * share
    const amount = Math.floor(rest * share)
    return dimension === "activeMillis" ? Math.max(0, Math.min(amount, rest - parentMillis)) : amount
  }
  const spawnsLeft = remainingOf(balance, "spawns")
  if (spawnsLeft === 0) return "spawns"
  const limit: Budget.Limit = {
    inputTokens: part("inputTokens"),
    outputTokens: part("outputTokens"),
    costUsd: part("costUsd"),
    activeMillis: part("activeMillis"),
    steps: part("steps"),
    spawns: kind === "Worker" ? 0 : spawnsLeft === null ? null : Math.floor((spawnsLeft - 1) * share)
  }
  return dimensions.find((dimension) => dimension !== "spawns" && limit[dimension] === 0) ?? limit
}

/** Returns a limit as a reservation, with 0 for a dimension without a limit. */
const toReservation = (limit: Budget.Limit): Budget.BudgetSpent => ({
  inputTokens: limit.inputTokens ?? 0,
  outputTokens: limit.outputTokens ?? 0,
  costUsd: limit.costUsd ?? 0,
  activeMillis: limit.activeMillis ?? 0,
  steps: limit.steps ?? 0,
  spawns: limit.spawns ?? 0
})

/** Returns a session's balance: its journal's counts, and `unrecordedMillis`, the work that no entry records yet. */
export const balanceOf = (state: SessionState.SessionState, limit: Budget.Limit, unrecordedMillis: number): Balance => {
  let reserved = Budget.nothing
  for (const childId of state.liveChildren) {
    const child = state.children.get(childId)
    if (child !== undefined) reserved = Budget.add(reserved, toReservation(child.spawned.budget))
  }
  const spent = SessionState.totalSpent(state)
  return { limit, spent: { ...spent, activeMillis: spent.activeMillis + unrecordedMillis }, reserved }
}

/**
 * The usage of a session and its ended descendants: a part of `SessionState`. Copies of another session's entries cost
 * nothing.
 */
import { Budget, type Entry, Usage } from "@bough/protocol"

export interface UsageTotals {
  usage: Usage.Usage
  /** True if part of `usage` is an estimate, because a reply was cut off. */
  isEstimated: boolean
  /** Input tokens of a requested reply that is not in the journal yet: they count as spent. */
  reservedTokens: number
  /** The limit of the session and its descendants; null: no entry contains it. */
  limit: Budget.Limit | null
  /** The number of model calls in all turns. */
  steps: number
  /** The time of all recorded work. */
  activeMillis: number
  /** The number of children that calls requested. */
  spawns: number
  /** The usage of ended children and their descendants. */
  childrenSpent: Budget.Spent
}

/** Folds a request for a reply. The prompt's tokens count even if the reply was lost with its process. */
export const reserved = (state: UsageTotals, { limit, reservedTokens }: Entry.BodyOf<"StepStarted">): void => {
  state.steps += 1
  if (limit !== undefined) state.limit = limit
  if (state.reservedTokens > 0) {
    state.usage = Usage.add(state.usage, { ...Usage.zero, inputTokens: state.reservedTokens })
  }
  state.reservedTokens = reservedTokens
}

export const replied = (
  state: UsageTotals,
  { activeMillis = 0, estimated = false, usage }: Entry.BodyOf<"ModelReplied">
): void => {
  if (estimated) state.isEstimated = true
  state.reservedTokens = 0
  state.activeMillis += activeMillis
  state.usage = Usage.add(state.usage, usage)
}

/**
 * Returns the usage of the session and its ended descendants, with the reservation for the reply that is awaited.
 * Starting a child costs its parent a spawn.
 */
export const spent = (state: UsageTotals): Budget.Spent =>
  Budget.add(state.childrenSpent, {
    inputTokens: Usage.plus(state.usage.inputTokens, state.reservedTokens),
    outputTokens: state.usage.outputTokens,
    costUsd: state.usage.costUsd,
    activeMillis: state.activeMillis,
    steps: state.steps,
    spawns: state.spawns
  })

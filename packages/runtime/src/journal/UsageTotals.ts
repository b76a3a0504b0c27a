/** What a session and all that ended below it have spent: a part of `SessionState`. Copies of another session's entries cost nothing. */
import { Budget, type Entry, Usage } from "@bough/protocol"

export interface UsageTotals {
  usage: Usage.Usage
  /** Input tokens of a reply that was asked for and is not in the journal: they count as spent. */
  reservedTokens: number
  /** What it and all below it may spend; null: no entry tells of it. */
  limit: Budget.Limit | null
  /** Of model calls, in all turns. */
  steps: number
  /** Of work that entries tell of. */
  activeMillis: number
  /** Children that calls asked for. */
  spawns: number
  /** By children that ended, and by all below them. */
  childrenSpent: Budget.Spent
}

/** A reply is asked for. One that was lost with its process took the prompt that it was asked for with. */
export const reserved = (state: UsageTotals, { limit, reservedTokens }: Entry.BodyOf<"StepStarted">): void => {
  state.steps += 1
  if (limit !== undefined) state.limit = limit
  if (state.reservedTokens > 0) {
    state.usage = Usage.add(state.usage, { ...Usage.zero, inputTokens: state.reservedTokens })
  }
  state.reservedTokens = reservedTokens
}

export const replied = (state: UsageTotals, { activeMillis = 0, usage }: Entry.BodyOf<"ModelReplied">): void => {
  state.reservedTokens = 0
  state.activeMillis += activeMillis
  state.usage = Usage.add(state.usage, usage)
}

/** What the session and all that ended below it have spent, and reserved for the reply that is awaited. Starting a child costs its parent a spawn. */
export const spent = (state: UsageTotals): Budget.Spent =>
  Budget.add(state.childrenSpent, {
    inputTokens: Usage.plus(state.usage.inputTokens, state.reservedTokens),
    outputTokens: state.usage.outputTokens,
    costUsd: state.usage.costUsd,
    activeMillis: state.activeMillis,
    steps: state.steps,
    spawns: state.spawns
  })

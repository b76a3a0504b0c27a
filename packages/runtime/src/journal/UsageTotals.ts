/**
 * The usage of a session and its ended descendants: a part of `SessionState`. Copies of another session's entries cost
 * nothing.
 */
import { Budget, type Entry, type Session, Usage } from "@bough/protocol"

/** A request of a tool to a model that has not ended. */
export interface OpenSampling {
  readonly toolCallId: Session.ToolCallId
  readonly reserved: Usage.Usage
}

export interface UsageTotals {
  usage: Usage.Usage
  /** True if part of `usage` is an estimate, because a reply was cut off. */
  isEstimated: boolean
  /** Input tokens of a requested reply that is not in the journal yet: they count as spent. */
  reservedTokens: number
  /** The running requests of tools, by the `seq` of their entry: their reservations count as spent. */
  readonly samplings: Map<number, OpenSampling>
  /** The limit of the session and its descendants; null: no entry contains it. */
  limit: Budget.Limit | null
  /** The number of model calls in all turns. */
  steps: number
  /** The time of all recorded work. */
  activeMillis: number
  /** The number of children that calls requested. */
  spawns: number
  /** The usage of ended children and their descendants. */
  childrenSpent: Budget.BudgetSpent
}

/** Folds a request for a reply. The prompt's tokens count even if the reply was lost with its process. */
export const reserveTokens = (state: UsageTotals, { limit, reservedTokens }: Entry.BodyOf<"StepStarted">): void => {
  state.steps += 1
  if (limit !== undefined) state.limit = limit
  if (state.reservedTokens > 0) {
    state.usage = Usage.add(state.usage, { ...Usage.zero, inputTokens: state.reservedTokens })
  }
  state.reservedTokens = reservedTokens
}

export const addReply = (
  state: UsageTotals,
  { activeMillis = 0, estimated = false, usage }: Entry.BodyOf<"ModelReplied">
): void => {
  if (estimated) state.isEstimated = true
  state.reservedTokens = 0
  state.activeMillis += activeMillis
  state.usage = Usage.add(state.usage, usage)
}

export const samplingStarted = (
  state: UsageTotals,
  seq: number,
  { reserved: reservation, toolCallId }: Entry.BodyOf<"SamplingStarted">
): void => {
  state.steps += 1
  state.samplings.set(seq, { toolCallId, reserved: reservation })
}

export const samplingEnded = (
  state: UsageTotals,
  { estimated = false, startedSeq, usage }: Entry.BodyOf<"SamplingEnded">
): void => {
  if (!state.samplings.delete(startedSeq)) return
  if (estimated) state.isEstimated = true
  state.usage = Usage.add(state.usage, usage)
}

/** Ends the requests of a call whose process ended before they did: their prompts' tokens count, as those of a step. */
export const callEnded = (state: UsageTotals, { toolCallId }: Entry.BodyOf<"CallEnded">): void => {
  for (const [seq, sampling] of state.samplings) {
    if (sampling.toolCallId !== toolCallId) continue
    state.samplings.delete(seq)
    state.isEstimated = true
    state.usage = Usage.add(state.usage, { ...Usage.zero, inputTokens: sampling.reserved.inputTokens })
  }
}

/**
 * Returns the usage of the session and its ended descendants, with the reservations for the replies that are awaited.
 * Starting a child costs its parent a spawn.
 */
export const totalSpent = (state: UsageTotals): Budget.BudgetSpent => {
  let { usage } = state
  for (const { reserved: reservation } of state.samplings.values()) usage = Usage.add(usage, reservation)
  return Budget.add(state.childrenSpent, {
    inputTokens: Usage.plus(usage.inputTokens, state.reservedTokens),
    outputTokens: usage.outputTokens,
    costUsd: usage.costUsd,
    activeMillis: state.activeMillis,
    steps: state.steps,
    spawns: state.spawns
  })
}

/** Guards against a turn that makes no progress: pure counts over its steps. */
import type { Entry, Message } from "@bough/protocol"

/** Counts of one turn so far. `repeats`: how many times in a row the newest call was requested. */
export interface TurnGuards {
  readonly steps: number
  readonly lastCall: string | null
  readonly repeats: number
  /** Consecutive steps in which every call of a tool had wrong arguments, by tool. */
  readonly failing: ReadonlyMap<string, number>
  /** Consecutive compactions that did not help. */
  readonly ineffective: number
  /** True if the newest compaction shortened the prompt, and no reply has confirmed yet that it fits. */
  readonly unproven: boolean
}

export const initial: TurnGuards = {
  steps: 0,
  lastCall: null,
  repeats: 0,
  failing: new Map(),
  ineffective: 0,
  unproven: false
}

/** The maximum number of times in a row that the same call with the same arguments may be requested. */
export const maxRepeats = 3

/** The maximum number of consecutive attempts with wrong arguments for a tool. */
export const maxAttempts = 3

/** The maximum number of corrections of a child that returns no valid output, over all of its turns. */
export const maxCorrections = maxAttempts - 1

/** The maximum number of consecutive compactions that do not help. */
export const maxIneffective = 2

/** Counts the calls of a reply before they run. */
export const afterReply = (guards: TurnGuards, calls: ReadonlyArray<Message.ToolCall>): TurnGuards => {
  let { lastCall, repeats } = guards
  // Identical calls in one reply count as one attempt.
  const keys = calls.map((call) => `${call.name} ${call.arguments}`)
  for (const key of keys.length > 1 ? new Set(keys) : keys) {
    repeats = key === lastCall ? repeats + 1 : 1
    lastCall = key
  }
  const ineffective = guards.unproven ? 0 : guards.ineffective
  return { ...guards, steps: guards.steps + 1, lastCall, repeats, ineffective, unproven: false }
}

/** Counts a compaction. */
export const countCompaction = (guards: TurnGuards, effective: boolean): TurnGuards => ({
  ...guards,
  steps: guards.steps + 1,
  ineffective: effective ? guards.ineffective : guards.ineffective + 1,
  unproven: effective
})

/** Counts a prompt that the model rejected as too long, which means that the compaction just before it did not help. */
export const countTooLong = (guards: TurnGuards): TurnGuards => ({
  ...guards,
  steps: guards.steps + 1,
  ineffective: guards.unproven ? guards.ineffective + 1 : guards.ineffective,
  unproven: false
})

/** Counts the results. Parallel failures of one tool in one step count once. */
export const countResults = (
  guards: TurnGuards,
  settled: ReadonlyArray<{ readonly call: Message.ToolCall; readonly outcome: Entry.Outcome | null }>
): TurnGuards => {
  if (guards.failing.size === 0 && !settled.some(({ outcome }) => isWrong(outcome))) return guards
  const failing = new Map(guards.failing)
  for (const name of new Set(settled.map(({ call }) => call.name))) {
    const allWrong = settled.every(({ call, outcome }) => call.name !== name || isWrong(outcome))
    if (allWrong) failing.set(name, (failing.get(name) ?? 0) + 1)
    else failing.delete(name)
  }
  return { ...guards, failing }
}

const isWrong = (outcome: Entry.Outcome | null): boolean =>
  outcome?._tag === "Failed" && outcome.error._tag === "ValidationError"

/** The tool whose arguments were invalid too often; null: none. */
export const exhaustedTool = ({ failing }: TurnGuards): string | null => {
  for (const [tool, attempts] of failing) if (attempts >= maxAttempts) return tool
  return null
}

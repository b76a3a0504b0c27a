/** What stops a turn that gets nowhere: pure counts over its steps. */
import type { Entry, Message } from "@bough/protocol"

/** Counts of one turn so far. `repeats` is how often the newest call has now been asked for in a row. */
export interface Guards {
  readonly steps: number
  readonly lastCall: string | null
  readonly repeats: number
  /** Steps in a row in which every call of a tool had wrong arguments, by tool. */
  readonly failing: ReadonlyMap<string, number>
}

export const initial: Guards = { steps: 0, lastCall: null, repeats: 0, failing: new Map() }

/** The same call with the same arguments may be asked for this often in a row. */
export const maxRepeats = 3

/** Attempts with wrong arguments that a tool has in a row. */
export const maxAttempts = 3

/** Counts the calls of a reply before they run. */
export const asked = (guards: Guards, calls: ReadonlyArray<Message.ToolCall>): Guards => {
  let { lastCall, repeats } = guards
  // Parallel twins in one reply are one attempt.
  for (const key of new Set(calls.map((call) => `${call.name} ${call.arguments}`))) {
    repeats = key === lastCall ? repeats + 1 : 1
    lastCall = key
  }
  return { ...guards, steps: guards.steps + 1, lastCall, repeats }
}

/** Counts how they went. Parallel failures of one tool in one step count once. */
export const ended = (
  guards: Guards,
  settled: ReadonlyArray<{ readonly call: Message.ToolCall; readonly outcome: Entry.Outcome | null }>
): Guards => {
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

/** The tool whose arguments were wrong too often; null: none. */
export const exhausted = ({ failing }: Guards): string | null =>
  [...failing].find(([, attempts]) => attempts >= maxAttempts)?.[0] ?? null

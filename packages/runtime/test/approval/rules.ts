/** The invariants of every approval in every state, and between two successive states. */
import { type CallView, type View, wrapUp } from "./play.ts"

export type Phase = "pending" | "approved" | "denied" | "expired" | "withdrawn" | "consumed" | "overruled"

const phases = { Approved: "approved", Denied: "denied", Expired: "expired", Withdrawn: "withdrawn" } as const

/** The decisions that the journal has of a call, with who made each. */
const recordedOf = ({ entries }: CallView): ReadonlyArray<{ readonly decision: string; readonly by: string }> =>
  entries.flatMap((entry) => {
    const [, decision, by] = /^decided (\w+) by (.*)$/.exec(entry) ?? []
    return decision === undefined ? [] : [{ decision, by }]
  })

export const phaseOf = (call: CallView): Phase => {
  if (call.entries.includes("consumed")) return "consumed"
  if (recordedOf(call).some(({ decision }) => decision === "Lapsed")) return "overruled"
  return call.decisions.length === 0 ? "pending" : phases[call.decisions[0].decision]
}

const follows: Readonly<Record<Phase, ReadonlyArray<Phase>>> = {
  pending: ["approved", "denied", "expired", "withdrawn", "overruled"],
  approved: ["consumed", "overruled"],
  denied: ["overruled"],
  expired: ["overruled"],
  withdrawn: [],
  consumed: [],
  overruled: []
}

type Rule = (call: CallView, view: View) => string | null

const count = ({ entries }: CallView, name: string): number => entries.filter((entry) => entry === name).length

const isByPerson = (decision: string): boolean => decision === "Approved" || decision === "Denied"

const isOver = ({ entries }: CallView): boolean => entries.some((entry) => entry.startsWith("ended "))

const rules: ReadonlyArray<Rule> = [
  ({ decisions }) => (decisions.length > 1 ? `${decisions.length} decisions are stored` : null),
  ({ decisions, expiresAtMillis }) =>
    decisions.some(({ atMillis, decision }) => isByPerson(decision) && atMillis >= expiresAtMillis)
      ? "a person decided after the deadline, and it counts"
      : null,
  (call) => {
    const recorded = recordedOf(call).filter(({ decision }) => decision !== "Lapsed")
    const [first] = call.decisions
    if (recorded.some(({ decision }) => decision !== first?.decision)) {
      const names = recorded.map(({ decision }) => decision).join(", ")
      return `recorded as ${names}, but the first decision was ${first?.decision}`
    }
    const wrong = recorded.find(({ by }) => by !== first.principal)
    return wrong === undefined ? null : `recorded as decided by ${wrong.by}, but ${first.principal} decided first`
  },
  (call, { isInterrupted }) => {
    if (!recordedOf(call).some(({ decision }) => decision === "Lapsed")) return null
    if (call.isCancelled) return null
    if (!isInterrupted) return "overruled, and nobody cancelled or interrupted anything"
    const overrules = !call.isBelow && call.decisions.some(({ decision }) => isByPerson(decision))
    return overrules ? "an interruption overruled a person" : null
  },
  (call) => (count(call, "consumed") > 1 ? "the approval is consumed twice" : null),
  (call) => (count(call, "consumed") > 0 && call.decisions[0]?.decision !== "Approved" ? "consumed unapproved" : null),
  (call) =>
    count(call, "consumed") > 0 && recordedOf(call)[0]?.decision !== "Approved" ? "consumed, but not recorded" : null,
  (call) => (count(call, "started") > 0 ? "started without an approval" : null),
  ({ effects }) => (effects > 1 ? `the effect has happened ${effects} times` : null),
  (call) => (call.effects > count(call, "consumed") ? "an effect without a consumed approval" : null),
  (_, { mistaken }) => mistaken[0] ?? null,
  (call) => (count(call, "asked") > 1 ? "asked for anew" : null),
  (call) => (count(call, "put aside") > 1 ? "put aside twice" : null),
  ({ entries }) => {
    const decided = entries.findIndex((entry) => entry.startsWith("decided "))
    return decided >= 0 && entries.lastIndexOf("put aside") > decided ? "put aside after it was decided" : null
  },
  ({ askedAfterDecision }) => (askedAfterDecision > 0 ? "asked again after it was decided" : null),
  (call) => (call.entries.filter((entry) => entry.startsWith("ended ")).length > 1 ? "the call has ended twice" : null),
  (call) => (recordedOf(call).length > 1 ? "the request has ended twice" : null),
  (call, { isStopped, nowMillis, ownerWaits, steps }) => {
    if (!ownerWaits || isStopped || isOver(call) || steps.includes(wrapUp)) return null
    if (call.isCancelled) return "it is cancelled, and nothing goes on"
    const isDue = call.decisions.length > 0 || nowMillis >= call.expiresAtMillis
    return isDue ? "it is decided, and nothing goes on" : null
  }
]

/** The rules about all calls together. */
const ofAll = ({ calls, isStopped, ownerEnded, ownerWaits, steps }: View): string | null => {
  if (ownerWaits && !ownerEnded && calls.every(isOver)) return "every call has ended, and the process still waits"
  return steps.length === 0 && !isStopped && !calls.every(isOver)
    ? "nobody can do anything, and a call has not ended"
    : null
}

const brokenBy = (view: View, before: View | null): string | null => {
  for (const [index, call] of view.calls.entries()) {
    for (const rule of rules) {
      const found = rule(call, view)
      if (found !== null) return found
    }
    if (before === null) continue
    const [from, to] = [phaseOf(before.calls[index]), phaseOf(call)]
    if (from !== to && !follows[from].includes(to)) return `${from} became ${to}`
  }
  return ofAll(view)
}

/** The first rule that a state violates; null: none. */
export const broken = brokenBy

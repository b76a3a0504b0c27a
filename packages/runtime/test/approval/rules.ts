/** What must hold of an approval in every state, and between any two that follow each other. */
import type { View } from "./play.ts"

export type Phase = "pending" | "approved" | "denied" | "expired" | "withdrawn" | "consumed"

const phases = { Approved: "approved", Denied: "denied", Expired: "expired", Withdrawn: "withdrawn" } as const

export const phaseOf = ({ decisions, entries }: View): Phase => {
  if (entries.includes("consumed")) return "consumed"
  return decisions.length === 0 ? "pending" : phases[decisions[0].decision]
}

const follows: Readonly<Record<Phase, ReadonlyArray<Phase>>> = {
  pending: ["approved", "denied", "expired", "withdrawn"],
  approved: ["consumed"],
  denied: [],
  expired: [],
  withdrawn: [],
  consumed: []
}

type Rule = (view: View, before: View | null) => string | null

const count = ({ entries }: View, name: string): number => entries.filter((entry) => entry === name).length

const isByPerson = (decision: string): boolean => decision === "Approved" || decision === "Denied"

const rules: ReadonlyArray<Rule> = [
  ({ decisions }) => (decisions.length > 1 ? `${decisions.length} decisions are stored` : null),
  ({ decisions, expiresAtMillis }) =>
    decisions.some(({ atMillis, decision }) => isByPerson(decision) && atMillis >= expiresAtMillis)
      ? "a person decided after the deadline, and it counts"
      : null,
  ({ decisions, entries }) => {
    const recorded = entries.flatMap((entry) => (entry.startsWith("decided ") ? [entry.slice("decided ".length)] : []))
    const [first] = decisions
    return recorded.every((decision) => decision === first?.decision)
      ? null
      : `recorded as ${recorded.join(", ")}, but the first decision was ${first?.decision}`
  },
  (view) => (count(view, "consumed") > 1 ? "the approval is consumed twice" : null),
  (view) => (count(view, "consumed") > 0 && view.decisions[0]?.decision !== "Approved" ? "consumed unapproved" : null),
  ({ effects }) => (effects > 1 ? `the effect has happened ${effects} times` : null),
  (view) => (view.effects > count(view, "consumed") ? "an effect without a consumed approval" : null),
  (view) => (count(view, "asked") > 1 ? "asked for anew" : null),
  (view) => (count(view, "put aside") > 1 ? "put aside twice" : null),
  ({ entries }) => {
    const decided = entries.findIndex((entry) => entry.startsWith("decided "))
    return decided >= 0 && entries.lastIndexOf("put aside") > decided ? "put aside after it was decided" : null
  },
  ({ askedAfterDecision }) => (askedAfterDecision > 0 ? "asked again after it was decided" : null),
  (view) => (view.entries.filter((entry) => entry.startsWith("ended ")).length > 1 ? "the call has ended twice" : null),
  (view) => {
    const isDue = view.decisions.length > 0 || view.nowMillis >= view.expiresAtMillis
    const isOver = view.entries.some((entry) => entry.startsWith("ended "))
    return view.ownerWaits && isDue && !isOver ? "it is decided, and nothing goes on" : null
  },
  (view, before) => {
    if (before === null) return null
    const [from, to] = [phaseOf(before), phaseOf(view)]
    return from === to || follows[from].includes(to) ? null : `${from} became ${to}`
  }
]

/** The first rule that a state breaks; null: none. */
export const broken: Rule = (view, before) => {
  for (const rule of rules) {
    const found = rule(view, before)
    if (found !== null) return found
  }
  return null
}

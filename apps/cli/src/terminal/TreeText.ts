/** A tree of sessions as rows: what each is, what it is at, what it waits for, what it has spent. Pure. */
import type { Budget, Session } from "@bough/protocol"
import { SessionState } from "@bough/runtime"
import * as Escape from "../Escape.ts"
import { thousands } from "./EventText.ts"
import { cut, join } from "./Layout.ts"
import * as LiveText from "./LiveText.ts"

export interface Node {
  readonly summary: Session.Summary
  readonly state: SessionState.State
}

/**
 * The Main first, each session below the one that started it, in the order in which they were started. Two rows each, or
 * as many as `columns` cells need; null: as wide as they come.
 */
export const rows = (nodes: ReadonlyArray<Node>, columns: number | null): ReadonlyArray<string> => {
  const below = Map.groupBy(nodes, ({ state }) => parentOf(state))
  const drawn = (node: Node, lead: string, joint: string): ReadonlyArray<string> => {
    const children = below.get(node.summary.sessionId) ?? []
    const onward = lead + (joint === "├─ " ? "│  " : joint === "" ? "" : "   ")
    const under = onward + (children.length > 0 ? "│  " : joint === "" ? "   " : "")
    const room = columns === null ? Number.POSITIVE_INFINITY : Math.max(fewestCells, columns - under.length)
    return [
      cut(lead + joint + named(node), room + under.length),
      ...join(facts(node), " · ", room).map((row) => under + row),
      ...children.flatMap((child, index) => drawn(child, onward, index === children.length - 1 ? "└─ " : "├─ "))
    ]
  }
  return (below.get(null) ?? []).flatMap((main) => drawn(main, "", ""))
}

const fewestCells = 20

const parentOf = ({ opened }: SessionState.State): Session.SessionId | null =>
  opened === null || opened.origin._tag === "Main" ? null : opened.origin.parentId

const named = ({ summary: { kind, title } }: Node): string => Escape.line(`${kind.toLowerCase()} “${title}”`)

const facts = ({ state, summary: { sessionId, state: stands } }: Node): ReadonlyArray<string> => [
  Escape.line(sessionId),
  standing(stands, waiting(state)),
  `step ${state.turn}.${state.step}`,
  spent(SessionState.spent(state), state.opened?.terms?.budget ?? null)
]

/** What waits for nothing but a message is idle. */
const standing = (stands: Session.State, waits: string): string =>
  stands === "Suspended" && waits === "" ? "idle" : `${stands.toLowerCase()}${waits}`

const waiting = (state: SessionState.State): string => {
  if (state.result !== null) return ""
  const asked = SessionState.pendingRequests(state).map(
    ({ approvalId, tool }) => `${approvalId} (${Escape.line(tool)})`
  )
  const on = [...asked, ...(state.liveChildren.size === 0 ? [] : [LiveText.below(state.liveChildren.size)])]
  return on.length === 0 ? "" : `, waits for ${on.join(", ")}`
}

const spent = (used: Budget.Spent, limit: Budget.Limit | null): string => {
  const tokens = used.inputTokens + used.outputTokens
  const cost = used.costUsd === null || used.costUsd === 0 ? [] : [`$${used.costUsd.toFixed(2)}${of(limit?.costUsd)}`]
  const steps = `${used.steps}${of(limit?.steps)} ${used.steps === 1 ? "step" : "steps"}`
  return [steps, `${thousands(tokens)} tokens`, ...cost].join(", ")
}

const of = (limit: number | null | undefined): string =>
  limit === null || limit === undefined ? "" : ` of ${Number(limit.toFixed(2))}`

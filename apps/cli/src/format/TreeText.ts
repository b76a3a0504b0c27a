/** Formats a tree of sessions: each one's state, activity, pending approvals and cost. Pure. */
import { Budget, OpenCalls, type Session } from "@bough/protocol"
import { SessionState } from "@bough/runtime"
import * as Escape from "@bough/tui/text/Escape"
import { join } from "@bough/tui/text/Layout"
import { cut } from "@bough/tui/text/Rows"
import { type SafeText, text } from "@bough/tui/text/SafeText"
import { thousands } from "./Figures.ts"
import * as LiveText from "./LiveText.ts"

export interface Node {
  readonly summary: Session.Summary
  readonly state: SessionState.SessionState
  /** The limit of the session and its descendants; null: unknown. */
  readonly limit: Budget.Limit | null
}

/**
 * Formats the Main first, and each other session below its parent, in the order of their starts. A session takes two
 * rows, or more if they wrap at `columns` cells; null: rows are not wrapped.
 */
export const rows = (nodes: ReadonlyArray<Node>, columns: number | null): ReadonlyArray<SafeText> => {
  const below = Map.groupBy(nodes, ({ state }) => parentOf(state))
  const drawNode = (node: Node, lead: SafeText, joint: "" | "├─ " | "└─ "): ReadonlyArray<SafeText> => {
    const children = below.get(node.summary.sessionId) ?? []
    const onward = text`${lead}${joint === "├─ " ? "│  " : joint === "" ? "" : "   "}`
    const under = text`${onward}${children.length > 0 ? "│  " : joint === "" ? "   " : ""}`
    const width = columns === null ? Number.POSITIVE_INFINITY : Math.max(minCells, columns - under.length)
    return [
      cut(text`${lead}${joint}${nodeName(node)}`, width + under.length),
      ...join(facts(node), text` · `, width).map((row) => text`${under}${row}`),
      ...children.flatMap((child, index) => drawNode(child, onward, index === children.length - 1 ? "└─ " : "├─ "))
    ]
  }
  return (below.get(null) ?? []).flatMap((main) => drawNode(main, text``, ""))
}

const minCells = 20

const parentOf = ({ opened }: SessionState.SessionState): Session.SessionId | null =>
  opened === null || opened.origin._tag === "Main" ? null : opened.origin.parentId

const nodeName = ({ summary: { kind, title } }: Node): SafeText => Escape.line(`${kind.toLowerCase()} “${title}”`)

const facts = ({ limit, state, summary: { sessionId, state: stands } }: Node): ReadonlyArray<SafeText> => [
  Escape.line(sessionId),
  Escape.line(stateText(stands, waitingText(state))),
  text`step ${state.turn}.${state.step}`,
  ...commands(state),
  Escape.line(spent(SessionState.totalSpent(state), limit ?? Budget.unlimited))
]

/** Background commands that are running according to the journal. */
const commands = ({ runningCommands }: SessionState.SessionState): ReadonlyArray<SafeText> =>
  [...runningCommands].map(([id, command]) => Escape.line(`${id} runs ${command.trim().split("\n")[0] ?? ""}`))

/** A session that waits only for a message counts as idle. */
const stateText = (stands: Session.SessionState, waits: string): string =>
  stands === "Suspended" && waits === "" ? "idle" : `${stands.toLowerCase()}${waits}`

const waitingText = (state: SessionState.SessionState): string => {
  if (state.result !== null) return ""
  const approvals = OpenCalls.pendingRequests(state).map(({ approvalId, tool }) => `${approvalId} (${tool})`)
  const on = [...approvals, ...(state.liveChildren.size === 0 ? [] : [LiveText.childCount(state.liveChildren.size)])]
  return on.length === 0 ? "" : `, waiting for ${on.join(", ")}`
}

const spent = (used: Budget.BudgetSpent, limit: Budget.Limit): string => {
  const { activeMillis, costUsd, steps } = limit
  return [
    `${used.steps}${ofLimit(steps, roundText)} ${used.steps === 1 ? "step" : "steps"}`,
    ...tokens(used, limit),
    ...(used.costUsd === null || used.costUsd === 0
      ? []
      : [`$${used.costUsd.toFixed(2)}${ofLimit(costUsd, roundText)}`]),
    ...(activeMillis === null ? [] : [`${minutes(used.activeMillis)}${ofLimit(activeMillis, minutes)} min`]),
    ...(used.spawns === 0 || limit.spawns === null ? [] : [`${used.spawns}${ofLimit(limit.spawns, roundText)} started`])
  ].join(", ")
}

/** Shows one number, or two if either has a limit. */
const tokens = (used: Budget.BudgetSpent, { inputTokens, outputTokens }: Budget.Limit): ReadonlyArray<string> =>
  inputTokens === null && outputTokens === null
    ? [`${thousands(used.inputTokens + used.outputTokens)} tokens`]
    : [
        `${thousands(used.inputTokens)}${ofLimit(inputTokens, thousands)} tokens in`,
        `${thousands(used.outputTokens)}${ofLimit(outputTokens, thousands)} out`
      ]

const ofLimit = (limit: number | null, written: (amount: number) => string): string =>
  limit === null ? "" : ` of ${written(limit)}`

const roundText = (amount: number): string => `${Number(amount.toFixed(2))}`

const minutes = (millis: number): string => `${Number((millis / 60_000).toFixed(1))}`

/** The sessions of a tree for its picture: their state, what they wait for, and their cost. Pure. */
import type { Tree } from "@bough/client"
import type { Tone } from "./CallText.ts"
import { addUsage, type Usage } from "./Conversation.ts"
import { count, dollars, share } from "./Figures.ts"

type ApiSession = Tree["sessions"][number]

export interface TreeSession extends ApiSession {
  readonly sessionId: string
}

export const sessionsOf = ({ sessions }: Tree): ReadonlyArray<TreeSession> =>
  sessions.map((session) => ({ ...session, sessionId: session.id }))

export interface StatusLabel {
  readonly label: string
  readonly tone: Tone
}

/** Returns the state of a session. A session that waits only for a message counts as idle. */
export const statusLabel = ({ approvals, liveChildren, state }: TreeSession): StatusLabel => {
  switch (state) {
    case "Active":
      return approvals.length > 0 ? asks : { label: "working", tone: "live" }
    case "Suspended":
      if (approvals.length > 0) return asks
      return liveChildren.length > 0 ? { label: "waits", tone: "wait" } : { label: "idle", tone: "plain" }
    case "Completed":
      return { label: "completed", tone: "good" }
    case "Failed":
      return { label: "failed", tone: "bad" }
    case "Expired":
      return { label: "expired", tone: "bad" }
    case "Cancelled":
      return { label: "cancelled", tone: "plain" }
  }
}

/** Returns the state of a child in its parent's conversation. `status`: how it ended; null: it has not. */
export const childStatusLabel = (status: string | null, now: StatusLabel | undefined): StatusLabel => {
  if (status !== null) return { label: status.toLowerCase(), tone: status === "Completed" ? "good" : "bad" }
  return now === undefined || now.label === "idle" ? { label: "working", tone: "live" } : now
}

const asks: StatusLabel = { label: "asks you", tone: "wait" }

/** Returns the links, as "parent child", between parents and the children that they wait for. */
export const waitingLinks = (sessions: ReadonlyArray<TreeSession>): ReadonlySet<string> =>
  new Set(
    sessions
      .filter(({ state }) => state === "Suspended")
      .flatMap(({ id, liveChildren }) => liveChildren.map((childId) => `${id} ${childId}`))
  )

/** Returns the largest used share of any limit; null: the session has no limit. */
export const budgetShare = ({ limit, spent }: TreeSession): number | null => {
  if (limit === null) return null
  const shares = [
    share(spent.inputTokens, limit.inputTokens),
    share(spent.outputTokens, limit.outputTokens),
    share(spent.costUsd ?? 0, limit.costUsd),
    share(spent.activeMillis, limit.activeMillis),
    share(spent.steps, limit.steps),
    share(spent.spawns, limit.spawns)
  ].filter((one) => one !== null)
  return shares.length === 0 ? null : Math.max(...shares)
}

export const spentText = ({ spent }: TreeSession): string => {
  const tokens = `${count(spent.inputTokens + spent.outputTokens)} tok`
  return spent.costUsd === null || spent.costUsd === 0 ? tokens : `${tokens} · ${dollars(spent.costUsd)}`
}

/** Returns the usage of a session, which counts its ended children, together with that of the children that still run. */
export const withLiveChildren = (
  mainUsage: Usage,
  sessions: ReadonlyArray<Pick<TreeSession, "id" | "liveChildren" | "spent">>,
  sessionId: string
): Usage => {
  const byId = new Map(sessions.map((session) => [session.id, session]))
  return (byId.get(sessionId)?.liveChildren ?? []).reduce((sum, childId) => {
    const child = byId.get(childId)
    return child === undefined ? sum : withLiveChildren(addUsage(sum, child.spent), sessions, childId)
  }, mainUsage)
}

/** Returns the sessions from the Main down to the one with that id; empty: the id is unknown. */
export const pathTo = (sessions: ReadonlyArray<TreeSession>, sessionId: string): ReadonlyArray<TreeSession> => {
  const byId = new Map(sessions.map((session) => [session.id, session]))
  const path: Array<TreeSession> = []
  for (let at = byId.get(sessionId); at !== undefined && !path.includes(at);) {
    path.unshift(at)
    at = at.parentId === null ? undefined : byId.get(at.parentId)
  }
  return path
}

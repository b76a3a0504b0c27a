/** The content of a journal in memory, and the changes of one commit to it. */
import { type Approval, type Batch, Canonical, Entry, type Inbox, type Session } from "@bough/protocol"
import * as Port from "./SessionStore.ts"

interface StoredSession {
  readonly entries: Array<Entry.Entry>
  summary: Session.Summary
  /** True if the user gave the title. */
  isNamed?: boolean
}

interface StoredTree {
  epoch: number
  owned: boolean
  commits: number
  readonly inbox: Map<string, { readonly row: Inbox.Row; done: boolean }>
  readonly approvals: Map<Session.ApprovalId, { readonly request: Approval.Request; open: boolean }>
}

export interface InMemoryJournalState {
  readonly trees: Map<Session.SessionId, StoredTree>
  readonly sessions: Map<string, StoredSession>
}

export const empty = (): InMemoryJournalState => ({ trees: new Map(), sessions: new Map() })

/** Returns the tree, creating it if it is missing. */
export const treeOf = ({ trees }: InMemoryJournalState, treeId: Session.SessionId): StoredTree => {
  const known = trees.get(treeId)
  if (known !== undefined) return known
  const tree: StoredTree = { epoch: 0, owned: false, commits: 0, inbox: new Map(), approvals: new Map() }
  trees.set(treeId, tree)
  return tree
}

/**
 * Adds the entries of the batch, or returns the reason for a refusal and changes nothing. Dies on a batch that every
 * store refuses.
 */
export const commit = (
  stored: InMemoryJournalState,
  batch: Batch.Batch,
  millis: number
): Port.CommitResult | Port.LeafMoved | Port.LeaseLost => {
  const tree = stored.trees.get(batch.treeId)
  if (tree === undefined || !tree.owned || tree.epoch !== batch.epoch) {
    return new Port.LeaseLost({ treeId: batch.treeId })
  }
  Port.refuseUnreadable(batch)
  const staged = stage(stored, batch, tree.commits + 1)
  if (staged instanceof Port.LeafMoved) return staged
  tree.commits++
  for (const entry of staged) append(stored, entry, { treeId: batch.treeId, millis })
  for (const projection of batch.projections) project(stored, batch.treeId, projection)
  return { commit: tree.commits, entries: staged }
}

/** Returns the trees that have work to do. */
export const work = ({ sessions, trees }: InMemoryJournalState, millis: number): ReadonlyArray<Port.OpenWork> =>
  Array.from(trees).flatMap(([treeId, { approvals, inbox }]) => {
    const summary = sessions.get(treeId)?.summary
    if (summary === undefined) return []
    const open = Array.from(inbox.values()).filter(({ done }) => !done)
    const isActive = summary.state === "Active"
    const isExpired = Array.from(approvals.values()).some(
      (approval) => approval.open && approval.request.expiresAtMillis <= millis
    )
    if (open.length === 0 && !isActive && !isExpired) return []
    const newestRow = open.length === 0 ? null : Math.max(...open.map(({ row }) => row.seq))
    return [{ treeId, newestRow, isActive, isExpired, updatedAtMillis: summary.updatedAtMillis }]
  })

const stage = (
  { sessions }: InMemoryJournalState,
  batch: Batch.Batch,
  commit: number
): ReadonlyArray<Entry.Entry> | Port.LeafMoved => {
  const staged: Array<Entry.Entry> = []
  for (const item of batch.entries) {
    const { body, expectedSeq, labels, sessionId } = item
    const stored = sessions.get(sessionId)
    const leaf = staged.findLast((entry) => entry.sessionId === sessionId) ?? stored?.entries.at(-1)
    if (expectedSeq !== (leaf === undefined ? 0 : leaf.seq + 1)) {
      return new Port.LeafMoved({ sessionId, seq: stored?.entries.length ?? 0 })
    }
    const misuse = Port.assertValidAppend(batch.treeId, item, stored?.summary.treeId ?? null)
    if (misuse !== null) throw new Error(misuse)
    const digest = Canonical.chain(leaf?.digest ?? "", Canonical.stringify(body))
    staged.push({ id: Entry.idOf(sessionId, expectedSeq), sessionId, seq: expectedSeq, commit, labels, digest, body })
  }
  return staged
}

const append = (
  { sessions }: InMemoryJournalState,
  entry: Entry.Entry,
  { millis, treeId }: { readonly millis: number; readonly treeId: Session.SessionId }
): void => {
  const { body, sessionId } = entry
  // The first entry is an opening, as `misuse` ensures.
  if (body._tag === "SessionOpened") {
    sessions.set(sessionId, { entries: [], summary: Port.openedRow(treeId, sessionId, body) })
  }
  const session = sessions.get(sessionId)
  if (session === undefined) return
  session.entries.push(entry)
  session.summary = { ...session.summary, entries: session.entries.length, updatedAtMillis: millis }
}

/** Changes nothing of another tree. */
const project = (stored: InMemoryJournalState, treeId: Session.SessionId, projection: Batch.Projection): void => {
  const tree = treeOf(stored, treeId)
  const sessionOf = (sessionId: string): StoredSession | undefined => {
    const session = stored.sessions.get(sessionId)
    return session?.summary.treeId === treeId ? session : undefined
  }
  switch (projection._tag) {
    case "SessionState":
      return describe(sessionOf(projection.sessionId), { state: projection.state })
    case "SessionTitle": {
      const session = sessionOf(projection.sessionId)
      return session?.isNamed === true ? undefined : describe(session, { title: projection.title })
    }
    case "ApprovalPending": {
      const { request } = projection
      if (!tree.approvals.has(request.approvalId)) tree.approvals.set(request.approvalId, { request, open: true })
      return
    }
    case "ApprovalClosed": {
      const approval = tree.approvals.get(projection.approvalId)
      if (approval !== undefined) approval.open = false
      return
    }
    case "InboxDone": {
      const item = tree.inbox.get(projection.dedupeKey)
      if (item !== undefined) item.done = true
    }
  }
}

const describe = (session: StoredSession | undefined, change: Partial<Session.Summary>): void => {
  if (session !== undefined) session.summary = { ...session.summary, ...change }
}

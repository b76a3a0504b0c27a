/**
 * The journal in memory: for tests, and for programs that keep nothing. One process, so that an owner never dies;
 * apart from that it keeps every promise of the port.
 */
import { type Approval, type Batch, Canonical, Entry, Inbox, type Session } from "@bough/protocol"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as InboxListeners from "./InboxListeners.ts"
import * as Port from "./SessionStore.ts"

interface StoredSession {
  readonly entries: Array<Entry.Entry>
  summary: Session.Summary
}

interface StoredTree {
  epoch: number
  owned: boolean
  commits: number
  readonly inbox: Map<string, { readonly row: Inbox.Row; done: boolean }>
  readonly approvals: Map<Session.ApprovalId, { readonly request: Approval.Request; open: boolean }>
}

export const layer: Layer.Layer<Port.SessionStore> = Layer.sync(Port.SessionStore, () => {
  const trees = new Map<Session.SessionId, StoredTree>()
  const sessions = new Map<string, StoredSession>()
  const listeners = InboxListeners.make()
  let latestMillis = 0

  /** Never back behind what it said. */
  const at = <A, E>(body: (millis: number) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Clock.clockWith((clock) => body((latestMillis = Math.max(latestMillis, clock.currentTimeMillisUnsafe()))))

  const treeOf = (treeId: Session.SessionId): StoredTree => {
    const known = trees.get(treeId)
    if (known !== undefined) return known
    const tree: StoredTree = {
      epoch: 0,
      owned: false,
      commits: 0,
      inbox: new Map(),
      approvals: new Map()
    }
    trees.set(treeId, tree)
    return tree
  }

  /** The entries that the batch adds, or why it may not. Changes nothing, dies of a batch that no store can take. */
  const stage = (batch: Batch.Batch, commit: number): ReadonlyArray<Entry.Entry> | Port.LeafMoved => {
    const staged: Array<Entry.Entry> = []
    for (const item of batch.entries) {
      const { body, expectedSeq, labels, sessionId } = item
      const stored = sessions.get(sessionId)
      const leaf = staged.findLast((entry) => entry.sessionId === sessionId) ?? stored?.entries.at(-1)
      if (expectedSeq !== (leaf === undefined ? 0 : leaf.seq + 1)) {
        return new Port.LeafMoved({ sessionId, seq: stored?.entries.length ?? 0 })
      }
      const misuse = Port.misuse(batch.treeId, item, stored?.summary.treeId ?? null)
      if (misuse !== null) throw new Error(misuse)
      const digest = Canonical.chain(leaf?.digest ?? "", Canonical.stringify(body))
      staged.push({ id: Entry.idOf(sessionId, expectedSeq), sessionId, seq: expectedSeq, commit, labels, digest, body })
    }
    return staged
  }

  const append = (treeId: Session.SessionId, entry: Entry.Entry, millis: number): void => {
    let session = sessions.get(entry.sessionId)
    if (session === undefined && entry.body._tag === "SessionOpened") {
      session = { entries: [], summary: Port.opened(treeId, entry.sessionId, entry.body) }
      sessions.set(entry.sessionId, session)
    }
    session!.entries.push(entry)
    session!.summary = { ...session!.summary, entries: session!.entries.length, updatedAtMillis: millis }
  }

  const project = (tree: StoredTree, projection: Batch.Projection): void => {
    switch (projection._tag) {
      case "SessionState":
        return describe(projection.sessionId, { state: projection.state })
      case "SessionTitle":
        return describe(projection.sessionId, { title: projection.title })
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

  const describe = (sessionId: Session.SessionId, change: Partial<Session.Summary>): void => {
    const session = sessions.get(sessionId)
    if (session !== undefined) session.summary = { ...session.summary, ...change }
  }

  const commit = (batch: Batch.Batch): Effect.Effect<Port.Committed, Port.LeafMoved | Port.LeaseLost> =>
    at((millis): Effect.Effect<Port.Committed, Port.LeafMoved | Port.LeaseLost> => {
      const tree = trees.get(batch.treeId)
      if (tree === undefined || !tree.owned || tree.epoch !== batch.epoch) {
        return Effect.fail(new Port.LeaseLost({ treeId: batch.treeId }))
      }
      const staged = stage(batch, tree.commits + 1)
      if (staged instanceof Port.LeafMoved) return Effect.fail(staged)
      tree.commits++
      for (const entry of staged) append(batch.treeId, entry, millis)
      for (const projection of batch.projections) project(tree, projection)
      return Effect.succeed({ commit: tree.commits, entries: staged })
    })

  const submit: Port.SessionStore["Service"]["submit"] = (submission) =>
    at((millis): ReturnType<Port.SessionStore["Service"]["submit"]> => {
      const { command } = submission
      const tree = trees.get(submission.treeId)
      if (tree === undefined) return Effect.fail(new Port.SessionNotFound({ sessionId: submission.treeId }))
      const dedupeKey = Inbox.keyOf(submission)
      if (tree.inbox.has(dedupeKey)) return Effect.succeed({ inserted: false })
      if (command._tag === "DecideApproval") {
        const approval = tree.approvals.get(command.approvalId)
        if (approval === undefined || !approval.open || !Inbox.inTime(command, approval.request, millis)) {
          return Effect.fail(new Port.ApprovalClosed({ approvalId: command.approvalId }))
        }
      }
      const row = { ...submission, dedupeKey, seq: tree.inbox.size, submittedAtMillis: millis }
      tree.inbox.set(dedupeKey, { row, done: false })
      listeners.tell(submission.treeId)
      return Effect.succeed({ inserted: true })
    })

  return {
    acquire: (treeId) =>
      Effect.suspend(() => {
        const tree = treeOf(treeId)
        if (tree.owned) return Effect.fail(new Port.TreeBusy({ treeId, owner: "this process" }))
        tree.owned = true
        return Effect.succeed({ treeId, epoch: ++tree.epoch })
      }),
    release: ({ epoch, treeId }) =>
      Effect.sync(() => {
        const tree = trees.get(treeId)
        if (tree !== undefined && tree.epoch === epoch) tree.owned = false
      }),
    commit,
    entries: (sessionId, fromSeq, limit) =>
      Effect.sync(() => sessions.get(sessionId)?.entries.slice(fromSeq, fromSeq + limit) ?? []),
    session: (sessionId) =>
      Effect.suspend(() => {
        const session = sessions.get(sessionId)
        return session === undefined
          ? Effect.fail(new Port.SessionNotFound({ sessionId }))
          : Effect.succeed(session.summary)
      }),
    list: ({ limit, workspaceRoot }) =>
      Effect.sync(() =>
        Array.from(sessions.values(), (session) => session.summary)
          .filter(
            (summary) => summary.kind === "Main" && (workspaceRoot === null || summary.workspaceRoot === workspaceRoot)
          )
          .toSorted(Port.byRecency)
          .slice(0, limit)
      ),
    sessionsOf: (treeId) =>
      Effect.sync(() =>
        Array.from(sessions.values(), ({ summary }) => summary)
          .filter((summary) => summary.treeId === treeId)
          .toSorted(Port.byAge)
      ),
    remove: (treeId) =>
      Effect.suspend((): Effect.Effect<void, Port.SessionNotFound | Port.TreeBusy> => {
        const tree = trees.get(treeId)
        if (tree === undefined) return Effect.fail(new Port.SessionNotFound({ sessionId: treeId }))
        if (tree.owned) return Effect.fail(new Port.TreeBusy({ treeId, owner: "this process" }))
        trees.delete(treeId)
        for (const [id, { summary }] of sessions) if (summary.treeId === treeId) sessions.delete(id)
        return Effect.void
      }),
    submit,
    inbox: (treeId) =>
      Effect.sync(() =>
        Array.from(trees.get(treeId)?.inbox.values() ?? [])
          .filter((item) => !item.done)
          .map((item) => item.row)
      ),
    watchInbox: listeners.watch,
    pendingApprovals: (treeId) =>
      Effect.sync(() =>
        Array.from(trees)
          .filter(([id]) => treeId === null || id === treeId)
          .flatMap(([, tree]) => Array.from(tree.approvals.values()))
          .filter((approval) => approval.open)
          .map((approval) => approval.request)
      ),
    approval: (approvalId) =>
      Effect.suspend(() => {
        const found = Array.from(trees.values()).flatMap(({ approvals }) => Array.from(approvals.values()))
        const approval = found.find(({ request }) => request.approvalId === approvalId)
        return approval === undefined
          ? Effect.fail(new Port.ApprovalNotFound({ approvalId }))
          : Effect.succeed({ ...approval })
      }),
    now: at(Effect.succeed)
  }
})

/**
 * The journal in memory: for tests, and for programs that store nothing. It has one process, so an owner never dies. In
 * all other respects it fulfils the contract of the port.
 */
import { type Batch, Inbox, type Session } from "@bough/protocol"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as InboxListeners from "./InboxListeners.ts"
import * as InMemoryJournalState from "./InMemoryJournalState.ts"
import * as LeaseWatchers from "./LeaseWatchers.ts"
import * as Port from "./SessionStore.ts"

/** The stored sessions live as long as the layer: sessions that are opened over the same layer see each other. */
export const layer: Layer.Layer<Port.SessionStore> = Layer.sync(Port.SessionStore, () => {
  const stored = InMemoryJournalState.empty()
  const { sessions, trees } = stored
  const listeners = InboxListeners.make()
  const leases = LeaseWatchers.make()
  let latestMillis = 0

  /** Runs the body at the current time, which never decreases. */
  const at = <A, E>(body: (millis: number) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Clock.clockWith((clock) => body((latestMillis = Math.max(latestMillis, clock.currentTimeMillisUnsafe()))))

  const commit = (batch: Batch.Batch): Effect.Effect<Port.CommitResult, Port.LeafMoved | Port.LeaseLost> =>
    at((millis) => {
      const committed = InMemoryJournalState.commit(stored, batch, millis)
      if ("commit" in committed) return Effect.succeed(committed)
      if (committed._tag === "LeaseLost") leases.lose(batch)
      return Effect.fail(committed)
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
      listeners.notify(submission.treeId)
      return Effect.succeed({ inserted: true })
    })

  return {
    acquire: (treeId) =>
      Effect.suspend(() => {
        const tree = InMemoryJournalState.treeOf(stored, treeId)
        if (tree.owned) return Effect.fail(new Port.TreeBusy({ treeId, owner: "this process", freeInMillis: null }))
        tree.owned = true
        return Effect.succeed({ treeId, epoch: ++tree.epoch })
      }),
    release: ({ epoch, treeId }) =>
      Effect.sync(() => {
        const tree = trees.get(treeId)
        if (tree !== undefined && tree.epoch === epoch) tree.owned = false
      }),
    ownedElsewhere: () => Effect.succeed(null),
    secure: ({ epoch, treeId }) =>
      Effect.suspend(() => {
        const tree = trees.get(treeId)
        const isHeld = tree !== undefined && tree.owned && tree.epoch === epoch
        if (isHeld) return Effect.void
        leases.lose({ epoch, treeId })
        return Effect.fail(new Port.LeaseLost({ treeId }))
      }),
    watchLease: leases.watch,
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
    list: (options) =>
      Effect.sync(() =>
        Array.from(sessions.values(), (session) => session.summary)
          .filter((summary) => Port.isListed(summary, options))
          .filter((summary) => options.after === undefined || Port.byRecency(summary, options.after) > 0)
          .toSorted(Port.byRecency)
          .slice(0, options.limit)
      ),
    sessionsOf: (treeId) =>
      Effect.sync(() =>
        Array.from(sessions.values(), ({ summary }) => summary)
          .filter((summary) => summary.treeId === treeId)
          .toSorted(Port.byAge)
      ),
    describe: (sessionId, { expected, isArchived, title }) =>
      at((millis): Effect.Effect<Session.Summary, Port.SessionNotFound | Port.DescriptionChanged> => {
        const session = sessions.get(sessionId)
        if (session === undefined) return Effect.fail(new Port.SessionNotFound({ sessionId }))
        const { summary } = session
        if (
          expected !== undefined &&
          (expected.title !== summary.title || expected.archivedAtMillis !== summary.archivedAtMillis)
        )
          return Effect.fail(new Port.DescriptionChanged({ sessionId }))
        const { archivedAtMillis = millis, ...rest } = session.summary
        if (isArchived !== undefined) session.summary = isArchived ? { ...rest, archivedAtMillis } : rest
        if (title !== undefined) {
          session.isNamed = true
          session.summary = { ...session.summary, title }
        }
        return Effect.succeed(session.summary)
      }),
    remove: (treeId) =>
      Effect.suspend((): Effect.Effect<void, Port.SessionNotFound | Port.TreeBusy> => {
        const tree = trees.get(treeId)
        if (tree === undefined) return Effect.fail(new Port.SessionNotFound({ sessionId: treeId }))
        if (tree.owned) return Effect.fail(new Port.TreeBusy({ treeId, owner: "this process", freeInMillis: null }))
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
    work: at((millis) => Effect.sync(() => InMemoryJournalState.work(stored, millis))),
    workOf: (treeId) =>
      at((millis) =>
        Effect.sync(() => InMemoryJournalState.work(stored, millis).find((found) => found.treeId === treeId) ?? null)
      ),
    watchInbox: listeners.watch,
    pendingApprovals: (treeId, { user } = {}) =>
      Effect.sync(() =>
        Array.from(trees)
          .filter(([id]) => treeId === null || id === treeId)
          .filter(([id]) => user === undefined || sessions.get(id)?.summary.user === user)
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

/** Stores, and owners, that break one promise each, which the explorer must find. */
import { Inbox, type Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type { SessionStore } from "../../src/index.ts"
import { graceMillis, type Setting, type Wrap } from "./play.ts"

export interface Breakage {
  readonly name: string
  readonly setting: Pick<Setting, "store" | "owner"> & Partial<Setting>
  /** The violated rule, and the shortest path to it. */
  readonly broken: string
  readonly path: ReadonlyArray<string>
}

/** Unchanged. */
export const intact: Wrap = (store) => store

type Store = SessionStore.SessionStore["Service"]
type Submit = Store["submit"]

/** A store that files some submissions under keys of their own. */
const aside =
  (isAside: (submission: Inbox.Submission) => boolean): Wrap =>
  (store) => {
    const rows = new Map<string, Inbox.Row>()
    const submit: Submit = (submission) =>
      isAside(submission)
        ? Effect.sync(() => {
            const inserted = !rows.has(submission.dedupeKey)
            rows.set(submission.dedupeKey, { ...submission, seq: 1000 + rows.size, submittedAtMillis: 0 })
            return { inserted }
          })
        : store.submit(submission)
    return { ...store, submit, inbox: (treeId) => Effect.map(store.inbox(treeId), (all) => [...all, ...rows.values()]) }
  }

const isDecision = ({ command }: Inbox.Submission): boolean => command._tag === "DecideApproval"

const chosenKey = aside((submission) => isDecision(submission) && submission.dedupeKey !== Inbox.keyOf(submission))

const expiryApart = aside(({ command }) => command._tag === "DecideApproval" && command.decision._tag === "Expired")

/** The last decision wins instead of the first. */
const lastWins: Wrap = (store) => {
  const latest = new Map<string, Inbox.Row>()
  return {
    ...store,
    submit: (submission) =>
      Effect.map(store.submit(submission), (result) => {
        if (!isDecision(submission)) return result
        const dedupeKey = Inbox.keyOf(submission)
        latest.set(dedupeKey, { ...submission, dedupeKey, seq: 0, submittedAtMillis: 0 })
        return result
      }),
    inbox: (treeId) => Effect.map(store.inbox(treeId), (rows) => rows.map((row) => latest.get(row.dedupeKey) ?? row))
  }
}

/** A process that ever had the lease may write, at any position of the journal. */
const noFence: Wrap = (store) => {
  let epoch = 0
  return {
    ...store,
    acquire: (treeId) => Effect.tap(store.acquire(treeId), (lease) => Effect.sync(() => (epoch = lease.epoch))),
    commit: (batch) =>
      Effect.gen(function* () {
        const leaves = new Map<string, number>()
        for (const { sessionId } of batch.entries) {
          leaves.set(sessionId, (yield* Effect.orDie(store.entries(sessionId, 0, 10_000))).length)
        }
        const entries = batch.entries.map((entry) => {
          const expectedSeq = leaves.get(entry.sessionId) ?? 0
          leaves.set(entry.sessionId, expectedSeq + 1)
          return { ...entry, expectedSeq }
        })
        return yield* store.commit({ ...batch, epoch, entries })
      })
  }
}

/** Requests never expire. */
const noDeadline: Wrap = (store) => ({
  ...store,
  commit: (batch) =>
    store.commit({
      ...batch,
      projections: batch.projections.map((projection) =>
        projection._tag === "ApprovalPending"
          ? { ...projection, request: { ...projection.request, expiresAtMillis: Number.MAX_SAFE_INTEGER } }
          : projection
      )
    })
})

/** A decision is known to the process that owns the tree at the time, and to none after it. */
const forgetful: Wrap = (store) => {
  let forgotten = new Set<string>()
  const known = new Set<string>()
  return {
    ...store,
    acquire: (treeId) => {
      forgotten = new Set(known)
      return store.acquire(treeId)
    },
    submit: (submission) => {
      if (isDecision(submission)) known.add(Inbox.keyOf(submission))
      return store.submit(submission)
    },
    inbox: (treeId) =>
      Effect.map(store.inbox(treeId), (rows) => rows.filter(({ dedupeKey }) => !forgotten.has(dedupeKey)))
  }
}

/** An owner that records the decision first, and the intent, which should consume it, in a commit of its own. */
const consumesLater: Wrap = (store) => ({
  ...store,
  commit: (batch) => {
    const [first, ...rest] = batch.entries
    return first?.body._tag === "ApprovalDecided" && rest.length > 0
      ? Effect.flatMap(store.commit({ ...batch, entries: [first] }), (one) =>
          Effect.map(store.commit({ ...batch, entries: rest, projections: [] }), ({ commit, entries }) => ({
            commit,
            entries: [...one.entries, ...entries]
          }))
        )
      : store.commit(batch)
  }
})

/** An owner that stops checking for a decision once the call is deferred. */
const deaf: Wrap = (store) => {
  let isDeaf = false
  return {
    ...store,
    watchInbox: (treeId, tell) => store.watchInbox(treeId, (changed) => (isDeaf ? undefined : tell(changed))),
    commit: (batch) => {
      if (batch.entries.some(({ body }) => body._tag === "CallDeferred")) isDeaf = true
      return store.commit(batch)
    }
  }
}

/** An owner that reads no cancellation. */
const uncancelled: Wrap = (store) => ({
  ...store,
  inbox: (treeId) =>
    Effect.map(store.inbox(treeId), (rows) => rows.filter(({ command }) => command._tag !== "CancelSession"))
})

/** A decision on one of two requests is stored as a decision on the other request. */
const crossed: Wrap = (store) => {
  const approvalIds: Array<Session.ApprovalId> = []
  return {
    ...store,
    commit: (batch) => {
      for (const { body } of batch.entries) if (body._tag === "ApprovalAsked") approvalIds.push(body.request.approvalId)
      return store.commit(batch)
    },
    submit: (submission) => {
      const { command } = submission
      if (command._tag !== "DecideApproval") return store.submit(submission)
      const other = approvalIds.find((approvalId) => approvalId !== command.approvalId) ?? command.approvalId
      return store.submit({ ...submission, command: { ...command, approvalId: other } })
    }
  }
}

/** An owner that records first that a request was withdrawn, and the end of its call in a commit of its own. */
const withdrawsFirst: Wrap = (store) => ({
  ...store,
  commit: (batch) => {
    const [first, ...rest] = batch.entries
    const isWithdrawal = first?.body._tag === "ApprovalDecided" && first.body.decision._tag === "Withdrawn"
    return isWithdrawal && rest.length > 0
      ? Effect.andThen(
          store.commit({ ...batch, entries: [first] }),
          store.commit({ ...batch, entries: rest, projections: [] })
        )
      : store.commit(batch)
  }
})

export const breakages: ReadonlyArray<Breakage> = [
  {
    name: "a decision whose key the decider chooses",
    setting: { store: chosenKey, owner: intact },
    broken: "it is decided, and nothing goes on",
    path: ["grace: Denied"]
  },
  {
    name: "an expiry under a key of its own",
    setting: { store: expiryApart, owner: intact, restarts: 0, waitsToRead: true },
    broken: "2 decisions are stored",
    path: ["process 1: read inbox", "grace: Denied", "the deadline passes", "process 1: inbox Expired"]
  },
  {
    name: "a store where the last decision wins",
    setting: { store: lastWins, owner: intact },
    broken: "recorded as Denied, but the first decision was Approved",
    path: [
      "ada: Approved, asked by process 1",
      "process 1: inbox Approved",
      "grace: Denied",
      "process 2 takes over, process 1 may still run",
      "process 2: commit ApprovalDecided Denied, CallEnded"
    ]
  },
  {
    name: "commits without lease and place",
    setting: { store: noFence, owner: intact },
    broken: "the call has ended twice",
    path: [
      "grace: Denied",
      "process 2 takes over, process 1 may still run",
      "process 1: commit ApprovalDecided Denied, CallEnded",
      "process 2: commit ApprovalDecided Denied, CallEnded"
    ]
  },
  {
    name: "an approval that is used without the lease",
    setting: {
      store: noFence,
      owner: intact,
      deciders: { ada: { _tag: "Denied", words: null }, grace: { _tag: "Approved", rule: null } }
    },
    broken: "the approval is consumed twice",
    path: [
      "grace: Approved",
      "process 2 takes over, process 1 may still run",
      "process 1: commit ApprovalDecided Approved, CallStarted",
      "process 2: commit ApprovalDecided Approved, CallStarted"
    ]
  },
  {
    name: "a deadline that the store does not know",
    setting: { store: noDeadline, owner: intact },
    broken: "a person decided after the deadline, and it counts",
    path: ["the deadline passes", "grace: Denied"]
  },
  {
    name: "decisions that die with the process",
    setting: { store: forgetful, owner: intact },
    broken: "asked again after it was decided",
    path: ["grace: Denied", "process 2 takes over, process 1 may still run"]
  },
  {
    name: "a decision that is consumed in a later commit",
    setting: { store: intact, owner: consumesLater },
    broken: "asked for anew",
    path: [
      "grace: Denied",
      "process 1: commit ApprovalDecided Denied",
      "process 2 takes over, process 1 may still run",
      "process 2: commit ApprovalAsked"
    ]
  },
  {
    name: "a call that is put aside for good",
    setting: { store: intact, owner: deaf, restarts: 0, graceMillis },
    broken: "it is decided, and nothing goes on",
    path: ["nobody answers for a while", "process 1: commit CallDeferred", "grace: Denied"]
  },
  {
    name: "a cancellation that nobody reads",
    setting: { store: intact, owner: uncancelled, restarts: 0, endings: ["asker"] },
    broken: "it is cancelled, and nothing goes on",
    path: ["grace cancels go", "the time to wrap up passes"]
  },
  {
    name: "an approval that is taken for another call",
    setting: {
      store: crossed,
      owner: intact,
      family: "two Branches",
      deciders: { ada: null, grace: { _tag: "Approved", rule: null } },
      restarts: 0
    },
    broken: "recorded as Approved, but the first decision was undefined",
    path: ["grace: Approved, of left", "process 1: commit ApprovalDecided Approved, CallStarted of right"]
  },
  {
    name: "a withdrawal that does not end the call in the same commit",
    setting: {
      store: intact,
      owner: withdrawsFirst,
      deciders: { ada: null, grace: null },
      endings: ["interrupt"]
    },
    broken: "asked for anew",
    path: [
      "Ctrl-C at process 1",
      "process 1: commit StateChanged",
      "process 1: inbox Withdrawn",
      "process 1: commit ApprovalDecided Withdrawn",
      "process 2 takes over, process 1 may still run",
      "process 2: commit ApprovalAsked"
    ]
  }
]

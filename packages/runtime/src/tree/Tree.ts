/**
 * The parts that the sessions of one tree share in the process that owns it: ports, the lease, the live sessions, and
 * a signal of their changes. A Main and its descendants are one tree: adr/0018-session-tree.md.
 */
import type { ResultCache } from "@bough/dispatch"
import { type Approval, OpenCalls, type Session, type SessionResult, type ToolError } from "@bough/protocol"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Semaphore from "effect/Semaphore"
import type { PendingApprovals } from "../approval/PendingApprovals.ts"
import type { SessionRules } from "../approval/SessionRules.ts"
import type { SessionBudget } from "../budget/SessionBudget.ts"
import type { SessionInbox } from "../journal/Inbox.ts"
import type { Journal, JournalOwner } from "../journal/Journal.ts"
import type { BlobStore } from "../ports/BlobStore.ts"
import type { Channel } from "../ports/Channel.ts"
import type { Model } from "../ports/Model.ts"
import type { LeaseLost, Lease, SessionStore, StoreFailed } from "../ports/SessionStore.ts"
import type { Agent } from "../session/Agent.ts"
import type { Writers } from "../session/WorkspaceWrites.ts"
import type { Signal } from "../Signal.ts"

/** The kinds of session that another session starts. */
export type ChildKind = "Branch" | "Worker"

/**
 * Makes the agent of a child, with no more rights than its parent. `named`: the agent that narrows the child further;
 * null: only the parent's agent narrows it.
 */
export type ChildAgent = (
  kind: ChildKind,
  parent: Agent,
  named: string | null
) => Effect.Effect<Agent, ToolError.ToolError>

/** The ports and settings of a tree, made once when the process opens it. */
export interface TreePorts {
  readonly lease: Lease
  readonly store: SessionStore["Service"]
  readonly blobs: BlobStore["Service"]
  readonly model: Model["Service"]
  readonly channel: Channel["Service"]
  /**
   * Returns the channel of its Main: that of the open session, else that in the journal. Null: no user can be
   * asked.
   */
  readonly channelName: () => string | null
  /** Makes the agents of children; null: sessions of this program start no children. */
  readonly childAgent: ChildAgent | null
  /** True if a tracer was set when the tree was opened. */
  readonly isTraced: boolean
  /** The scope in which children run. */
  readonly scope: Scope.Scope
  /** True if the process ends or releases the tree: interrupted work is then left open for the next owner. */
  readonly isLeaving: () => boolean
}

/** The facts that an approval in one session changes for the whole tree. */
export interface TreeGrants {
  /** The rules that users gave for all of its sessions. */
  readonly rules: SessionRules
  /** The approvals that this process waits for. */
  readonly pending: PendingApprovals
  /** The hosts that users approved for those of its sessions that were open here. */
  readonly hosts: Set<string>
  /** The counts of writes to the workspace, of those of its sessions that were open here. */
  readonly writers: Writers
  /** Cached results for equal calls of the tree's sessions. */
  readonly results: ResultCache.ResultCache
}

/** The running sessions of a tree. This module changes it; `Child` adds each child to `live` and removes it. */
export interface TreeState {
  /** Every descendant of the Main that has not ended and runs here. */
  readonly live: Map<Session.SessionId, Child>
  readonly changes: Signal
  /** True if a cancellation of the Main's work is pending. */
  readonly cancelling: boolean
  /** The reason why the journal cannot be written, which stops the tree. Null: it can be written. */
  readonly failure: LeaseLost | StoreFailed | null
}

/** The shared parts in one record. Each session refers to it, and each function takes only the part that it needs. */
export interface Tree extends TreePorts, TreeGrants, TreeState {
  /** Serialises the Main's loops. */
  readonly turns: Semaphore.Semaphore
}

/** The owner of the journals, which publishes each stored entry to the tree's channel. */
export const owner = ({ channel, lease, store }: Pick<TreePorts, "channel" | "lease" | "store">): JournalOwner => ({
  store,
  lease,
  publish: (entry) => channel.publish({ _tag: "Recorded", sessionId: entry.sessionId, entry })
})

const setTree = (tree: Writable<Pick<TreeState, "cancelling" | "failure">>, change: Partial<typeof tree>): void =>
  void Object.assign(tree, change)

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

/** Stops the tree because of a failure, and notifies waiting sessions. */
export const fail = (tree: TreeState, failure: LeaseLost | StoreFailed): void => {
  setTree(tree, { failure })
  tree.changes.notify()
}

/** Records that a cancellation of the Main's work is pending, or was carried out. */
export const setCancelling = (tree: TreeState, cancelling: boolean): void => {
  setTree(tree, { cancelling })
  if (cancelling) tree.changes.notify()
}

/** The end state of a child that was told to end. */
export interface ChildEnd {
  readonly status: Exclude<SessionResult.EndState, "Completed">
  readonly reason: string
}

/** The parts of a session that its tree knows. */
export interface Member {
  readonly agent: Pick<Agent, "limits">
  readonly journal: Journal["Service"]
  readonly inbox: SessionInbox
  readonly budget: SessionBudget
}

/** A live child. */
export interface Child {
  readonly session: Member
  readonly parent: Member
  readonly kind: ChildKind
  /** Null: a call requested the child. */
  readonly purpose: Session.Purpose | null
  readonly status: ChildStatus
}

/** The state of a child while it lives. Only this module changes it. */
export interface ChildStatus {
  /** Set once; null: the child was not told to end. */
  readonly ending: ChildEnd | null
  /** True once its time to finish is over. */
  readonly stopped: boolean
  /** True if the process released the tree and so cut the child off: the next process continues it. */
  readonly cutOff: boolean
  /**
   * The version of the inbox at which it parked, because it needs a decision and no user is attached. Null: it is
   * working.
   */
  readonly parkedAt: number | null
}

/** The initial status of a child. */
export const newStatus = (): ChildStatus => ({ ending: null, stopped: false, cutOff: false, parkedAt: null })

const setStatus = (status: Writable<ChildStatus>, change: Partial<ChildStatus>): void =>
  void Object.assign(status, change)

/** Sets the end state; the first one counts. */
export const setEnding = ({ status }: Child, ending: ChildEnd): void => {
  if (status.ending === null) setStatus(status, { ending })
}

/** Stops the child's work. */
export const stop = ({ changes }: Pick<TreeState, "changes">, { status }: Child): void => {
  setStatus(status, { stopped: true })
  changes.notify()
}

/** Cuts the child off because the process ends first. */
export const cutOff = ({ changes }: Pick<TreeState, "changes">, { status }: Child): void => {
  setStatus(status, { cutOff: true })
  changes.notify()
}

/** Parks the child at that version of its inbox; null: it continues. */
export const park = ({ changes }: Pick<TreeState, "changes">, { status }: Child, parkedAt: number | null): void => {
  setStatus(status, { parkedAt })
  if (parkedAt !== null) changes.notify()
}

/**
 * True if a child cannot work. Until it has read new inbox rows, which may be for it, it does not count as parked.
 */
export const isParked = ({ session, status }: Child): boolean => status.parkedAt === session.inbox.version

type Live = Pick<TreeState, "live">

/** Returns the live children of a session. */
export const childrenOf = ({ live }: Live, { state }: Journal["Service"]): ReadonlyArray<Child> =>
  Array.from(state.liveChildren).flatMap((childId) => live.get(childId) ?? [])

/** Counts the live descendants. */
export const liveBelow = (tree: Live, journal: Journal["Service"]): number =>
  journal.state.liveChildren.size === 0
    ? 0
    : childrenOf(tree, journal).reduce((count, { session }) => count + 1 + liveBelow(tree, session.journal), 0)

/** True if a session has live children, of which none can continue. */
export const allParked = (tree: Live, journal: Journal["Service"]): boolean =>
  journal.state.liveChildren.size > 0 && childrenOf(tree, journal).every(isParked)

/** Returns the pending requests of a session and its descendants. */
export const pendingRequests = (tree: Live, journal: Journal["Service"]): ReadonlyArray<Approval.Request> => [
  ...OpenCalls.pendingRequests(journal.state),
  ...childrenOf(tree, journal).flatMap(({ session }) => pendingRequests(tree, session.journal))
]

/**
 * What the sessions of one tree share in the process that owns it: ports, the lease, the sessions that live, and when
 * something about them has changed. A Main and all below it are one tree: adr/0018-session-tree.md.
 */
import type { Approval, Session, SessionResult, ToolError } from "@bough/protocol"
import type { Invocation, Spawn } from "@bough/tool"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Semaphore from "effect/Semaphore"
import type { Agent } from "../session/Agent.ts"
import type { PendingApprovals } from "../approval/PendingApprovals.ts"
import type { BlobStore } from "../ports/BlobStore.ts"
import type { Signal } from "../Signal.ts"
import type { Channel } from "../ports/Channel.ts"
import type { SessionRules } from "../approval/SessionRules.ts"
import type { Model } from "../ports/Model.ts"
import type { SessionContext } from "../session/SessionContext.ts"
import type { Writers } from "../session/WorkspaceWrites.ts"
import * as SessionState from "../journal/SessionState.ts"
import type { LeaseLost, Lease, SessionStore, StoreFailed } from "../ports/SessionStore.ts"

/** The kinds of session that are started by another one. */
export type ChildKind = "Branch" | "Worker"

/** The agent of a new child; what it may touch is cut to what its parent may. */
export type ChildAgent = (kind: ChildKind) => Effect.Effect<Agent, ToolError.ExecutionError>

export interface Tree {
  readonly lease: Lease
  readonly store: SessionStore["Service"]
  readonly blobs: BlobStore["Service"]
  readonly model: Model["Service"]
  readonly channel: Channel["Service"]
  /** Null: sessions of this program start no others. */
  readonly childAgent: ChildAgent | null
  /** What people allowed for all of its sessions. */
  readonly rules: SessionRules
  /** What its sessions ran, as far as these were open here. */
  readonly writers: Writers
  /** Hosts that people agreed to for all of its sessions, as far as these were open here. */
  readonly hosts: Set<string>
  /** Whether anybody can be asked: its Main owns a channel, by its journal or now. */
  readonly hasChannel: () => boolean
  /** The Spawn capability of one of its sessions, for one call. */
  readonly spawning: (context: SessionContext, call: Invocation.Invocation["Service"]) => Spawn.Spawn["Service"]
  /** Children run in it. */
  readonly scope: Scope.Scope
  /** Every session below the Main that has not ended and runs here. */
  readonly live: Map<Session.SessionId, Child>
  readonly changes: Signal
  readonly asking: PendingApprovals
  /** The Main's loops run one after another. */
  readonly turns: Semaphore.Semaphore
  /** The process ends, or lets go of the tree: what is interrupted now is left for the next one to go on with. */
  readonly isLeaving: () => boolean
  /** Somebody cancels what the Main does, and that has not been acted on. */
  cancelling: boolean
  /** The journal cannot be written: nothing in this tree goes on. */
  failure: LeaseLost | StoreFailed | null
}

/** How a child that is told to end will have ended. */
export interface Ending {
  readonly status: Exclude<SessionResult.EndState, "Completed">
  readonly reason: string
}

/** A live child. */
export interface Child {
  readonly running: SessionContext
  readonly parent: SessionContext
  readonly kind: ChildKind
  /** Null: a call asked for it. */
  readonly purpose: Session.Purpose | null
  /** Set once. */
  ending: Ending | null
  /** Its time to finish is over. */
  stopped: boolean
  /** This process holds the tree no more: it was cut off, and the next one goes on with it. */
  cutOff: boolean
  /** It can do nothing until somebody decides, and nobody is there. */
  parked: boolean
  /** The version of its inbox that it had read when it was parked. */
  parkedAt?: number
}

/** Whether a child can do nothing. What came into its inbox since may be for it: until it has looked, it is not known to wait. */
export const isParked = ({ parked, parkedAt, running }: Child): boolean => parked && parkedAt === running.inbox.version

/** The live children of a session. */
export const childrenOf = ({ journal, tree }: SessionContext): ReadonlyArray<Child> =>
  Array.from(journal.state.liveChildren).flatMap((childId) => tree.live.get(childId) ?? [])

/** How many sessions below one have not ended, however deep. */
export const liveBelow = (context: SessionContext): number =>
  childrenOf(context).reduce((count, child) => count + 1 + liveBelow(child.running), 0)

/** Whether a session has children that live and none of them can go on. */
export const allParked = (context: SessionContext): boolean =>
  context.journal.state.liveChildren.size > 0 && childrenOf(context).every(isParked)

/** Requests of a session, and of all below it, that wait for a decision. */
export const pendingRequests = (context: SessionContext): ReadonlyArray<Approval.Request> => [
  ...SessionState.pendingRequests(context.journal.state),
  ...childrenOf(context).flatMap((child) => pendingRequests(child.running))
]

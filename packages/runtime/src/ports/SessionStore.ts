/**
 * Journal port: commits, reads, leases and inbox. Adapters pass `sessionStoreSpec`. The format of the journal is
 * described in adr/0006-journal-format.md.
 */
import type { Approval, Batch, Entry, Inbox } from "@bough/protocol"
import { Session } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as BodyCheck from "./BodyCheck.ts"

/** Another entry already has that number in the journal: read again, then retry from `seq`. */
export class LeafMoved extends Schema.TaggedError<LeafMoved>()("LeafMoved", {
  sessionId: Session.SessionId,
  /** The seq that the next entry must take. */
  seq: Schema.Natural
}) {
  override get message(): string {
    return `session ${this.sessionId} has moved on to entry ${this.seq}`
  }
}

/** This process no longer owns the tree: stop, write nothing more. */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", { treeId: Session.SessionId }) {
  override get message(): string {
    return `another process took over session ${this.treeId}`
  }
}

/** Another process owns the tree, or may own it. */
export class TreeBusy extends Schema.TaggedError<TreeBusy>()("TreeBusy", {
  treeId: Session.SessionId,
  /** Names the process for users. */
  owner: Schema.String,
  /**
   * The time after which the lease ends, for an owner that cannot be examined from here and does not renew it; null:
   * the owner is alive.
   */
  freeInMillis: Schema.NullOr(Schema.Finite),
  /**
   * The address at which that process accepts requests for its trees, to which requests can be forwarded; absent: it
   * announces none.
   */
  address: Schema.optionalKey(Schema.String)
}) {
  override get message(): string {
    const open = `session ${this.treeId} is open in another process (${this.owner})`
    return this.freeInMillis === null
      ? open
      : `${open}, which cannot be seen from here; if it has ended, the session is free in ${this.waitSeconds} s`
  }

  /** The time after which a retry is worthwhile; null: a retry only succeeds after the owner has ended. */
  get waitSeconds(): number | null {
    return this.freeInMillis === null ? null : Math.max(1, Math.ceil(this.freeInMillis / 1000))
  }
}

export class SessionNotFound extends Schema.TaggedError<SessionNotFound>()("SessionNotFound", {
  sessionId: Schema.String
}) {
  override get message(): string {
    return `no session ${this.sessionId || '""'}`
  }
}

/** The description differs from the expected one: read the session again. */
export class DescriptionChanged extends Schema.TaggedError<DescriptionChanged>()("DescriptionChanged", {
  sessionId: Schema.String
}) {
  override get message(): string {
    return `the description of session ${this.sessionId} was changed`
  }
}

export class ApprovalNotFound extends Schema.TaggedError<ApprovalNotFound>()("ApprovalNotFound", {
  approvalId: Schema.String
}) {
  override get message(): string {
    return `no approval ${this.approvalId || '""'}`
  }
}

/** The request is closed, decided by someone else first, or past its deadline. */
export class ApprovalClosed extends Schema.TaggedError<ApprovalClosed>()("ApprovalClosed", {
  approvalId: Session.ApprovalId
}) {
  override get message(): string {
    return `approval ${this.approvalId} is no longer open`
  }
}

/** A stored entry does not decode or breaks the digest chain: nothing after it is read. */
export class JournalCorrupt extends Schema.TaggedError<JournalCorrupt>()("JournalCorrupt", {
  sessionId: Session.SessionId,
  seq: Schema.Natural,
  message: Schema.String
}) {}

/**
 * An entry could not be read back, so nothing of its batch was written. This is a bug of the caller and therefore a
 * defect: adapters die with it, and the session reopens in its earlier state.
 */
export class EntryRefused extends Schema.TaggedError<EntryRefused>()("EntryRefused", {
  sessionId: Session.SessionId,
  seq: Schema.Natural,
  tag: Schema.String,
  fault: Schema.String
}) {
  override get message(): string {
    return `entry ${this.seq} of session ${this.sessionId}, ${this.tag}, could not be read back: ${this.fault}`
  }
}

/** The store failed: disk full, I/O error, locked for too long. After a failed sync it stays read-only. */
export class StoreFailed extends Schema.TaggedError<StoreFailed>()("StoreFailed", {
  operation: Schema.String,
  message: Schema.String,
  hint: Schema.String
}) {}

/** The file is not a store that this version may open; nothing was read or changed. */
export class StoreRefused extends Schema.TaggedError<StoreRefused>()("StoreRefused", {
  path: Schema.String,
  reason: Schema.Literals(["Foreign", "Newer", "Torn", "Locked", "Unwritable"]),
  message: Schema.String,
  hint: Schema.String
}) {}

/** Ownership of one tree. Every commit carries the epoch; a later owner has a higher epoch. */
export interface Lease {
  readonly treeId: Session.SessionId
  readonly epoch: number
}

/** `commit` is the tree's number of the commit; `entries` are in their stored form. */
export interface CommitResult {
  readonly commit: number
  readonly entries: ReadonlyArray<Entry.Entry>
}

/** The last session of a page: the next page continues after it. */
export type Cursor = Pick<Session.Summary, "updatedAtMillis" | "createdAtMillis" | "sessionId">

export interface ListOptions {
  /** Only sessions of this workspace; null: of all workspaces. */
  readonly workspaceRoot: string | null
  readonly limit: number
  /** Only sessions of this user; null: only sessions whose user is not known. Default: sessions of all users. */
  readonly user?: string | null
  /** Only sessions of the agent of this name. */
  readonly agent?: string
  readonly state?: Session.SessionState
  /** Only archived sessions, or only the others. Default: both. */
  readonly isArchived?: boolean
  /** Only sessions whose title contains it; the case of ASCII letters does not matter. */
  readonly titleContains?: string
  /**
   * Only sessions after the last one of the page before. A session that changes in between moves to the front of the
   * list, so the remaining pages do not contain it.
   */
  readonly after?: Cursor
}

/** Facts that the user sets outside the journal. Absent fields are left unchanged. */
export interface Description {
  /** The new title; it replaces a title that was taken from the first message. */
  readonly title?: string
  readonly isArchived?: boolean
  /** The description that the caller has read; if it has changed since, nothing is written. */
  readonly expected?: Pick<Session.Summary, "title" | "archivedAtMillis">
}

/** A tree with open work, found by its rows alone; any process may own it. */
export interface OpenWork {
  readonly treeId: Session.SessionId
  /** The `seq` of its newest open inbox row; null: there is none. */
  readonly newestRow: number | null
  /** True if its Main was left in the middle of a turn. */
  readonly isActive: boolean
  /** True if one of its requests is past its deadline, and the expiry is not recorded yet. */
  readonly isExpired: boolean
  readonly updatedAtMillis: number
}

/** Selects requests by user. */
export interface RequestFilter {
  /** Only requests in sessions of this user; null: only in sessions whose user is not known. */
  readonly user?: string | null
}

export class SessionStore extends Context.Service<
  SessionStore,
  {
    /**
     * Makes this process the owner. An owner that has verifiably died is replaced at once, any other owner when its
     * lease has ended. The owner's commits extend the lease. A tree of that id need not exist yet.
     */
    readonly acquire: (treeId: Session.SessionId) => Effect.Effect<Lease, TreeBusy | StoreFailed>
    /**
     * Returns the owner of the tree if it is another process or another connection to the store; null: the tree has no
     * owner, or this connection is the owner.
     */
    readonly ownedElsewhere: (treeId: Session.SessionId) => Effect.Effect<TreeBusy | null, StoreFailed>
    /** Succeeds when enough of the lease is left for an effect that begins now, and renews it if needed. */
    readonly secure: (lease: Lease) => Effect.Effect<void, LeaseLost | StoreFailed>
    /**
     * Calls `lost` once, when a refused write or the renewal in the background shows that another process has the
     * lease. The call is cancelled when the scope closes.
     */
    readonly watchLease: (lease: Lease, lost: () => void) => Effect.Effect<void, never, Scope.Scope>
    /** Releases the tree; it is not an error if the lease is already lost. */
    readonly release: (lease: Lease) => Effect.Effect<void, StoreFailed>
    /** Commits a batch atomically across the sessions of one tree; durable on return if the batch is `Full`. */
    readonly commit: (batch: Batch.Batch) => Effect.Effect<CommitResult, LeafMoved | LeaseLost | StoreFailed>
    /** Returns entries from `fromSeq` on, oldest first, at most `limit`; digests are verified against the chain. */
    readonly entries: (
      sessionId: Session.SessionId,
      fromSeq: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Entry.Entry>, JournalCorrupt | StoreFailed>
    readonly session: (sessionId: string) => Effect.Effect<Session.Summary, SessionNotFound | StoreFailed>
    /** Main sessions, most recently changed first. */
    readonly list: (options: ListOptions) => Effect.Effect<ReadonlyArray<Session.Summary>, StoreFailed>
    /** Every session of a tree, oldest first; none: there is no such tree. */
    readonly sessionsOf: (treeId: Session.SessionId) => Effect.Effect<ReadonlyArray<Session.Summary>, StoreFailed>
    /**
     * Changes the description of a session, even if another process owns the session. The session keeps its position in
     * lists.
     */
    readonly describe: (
      sessionId: string,
      description: Description
    ) => Effect.Effect<Session.Summary, SessionNotFound | DescriptionChanged | StoreFailed>
    /** Deletes a whole tree that has no owner. */
    readonly remove: (treeId: Session.SessionId) => Effect.Effect<void, SessionNotFound | TreeBusy | StoreFailed>
    /**
     * Inserts the row unless its dedupe key exists; durable on return. `inserted` is false if the key existed. A
     * decision is inserted only while its request is pending and before its deadline on the store's clock, else
     * ApprovalClosed.
     */
    readonly submit: (
      submission: Inbox.Submission
    ) => Effect.Effect<{ readonly inserted: boolean }, SessionNotFound | ApprovalClosed | StoreFailed>
    /** Returns the open rows, oldest first. */
    readonly inbox: (treeId: Session.SessionId) => Effect.Effect<ReadonlyArray<Inbox.Row>, StoreFailed>
    /** Trees with open inbox rows, a Main in the middle of a turn, or a request past its deadline. */
    readonly work: Effect.Effect<ReadonlyArray<OpenWork>, StoreFailed>
    /** Returns the work of one tree; null if it has none. */
    readonly workOf: (treeId: Session.SessionId) => Effect.Effect<OpenWork | null, StoreFailed>
    /**
     * Calls `notify` at once, and within a second after the tree's inbox may have grown, even by another process. Runs
     * until the scope closes; all watchers share one poll. Null: the inbox of any tree. `notify` receives the tree, or
     * null if it is not known which inbox has grown.
     */
    readonly watchInbox: (
      treeId: Session.SessionId | null,
      notify: (treeId: Session.SessionId | null) => void
    ) => Effect.Effect<void, never, Scope.Scope>
    /** Requests that wait for a decision, oldest first; null: in all trees. */
    readonly pendingApprovals: (
      treeId: Session.SessionId | null,
      filter?: RequestFilter
    ) => Effect.Effect<ReadonlyArray<Approval.Request>, StoreFailed>
    /** Returns a request in any state; `open` is true until it is used or closed. */
    readonly approval: (
      approvalId: string
    ) => Effect.Effect<{ readonly request: Approval.Request; readonly open: boolean }, ApprovalNotFound | StoreFailed>
    /** The current time in epoch milliseconds on the store's clock, to which deadlines refer. */
    readonly now: Effect.Effect<number>
  }
>()("@bough/runtime/ports/SessionStore") {}

/** Emits at once, and whenever the tree's inbox may have grown. */
export const inboxChanges = (
  store: Pick<SessionStore["Service"], "watchInbox">,
  treeId: Session.SessionId
): Stream.Stream<void> =>
  Stream.callback<void>((queue) => store.watchInbox(treeId, () => void Queue.offerUnsafe(queue, undefined)), {
    bufferSize: 1,
    strategy: "sliding"
  })

/** The row of a session that has just been opened, before its first entry is counted. For adapters. */
export const openedRow = (
  treeId: Session.SessionId,
  sessionId: Session.SessionId,
  body: Entry.BodyOf<"SessionOpened">
): Session.Summary => ({
  sessionId,
  treeId,
  kind: body.kind,
  state: "Active",
  title: "",
  user: body.user,
  agent: body.agent,
  workspaceRoot: body.workspaceRoot,
  entries: 0,
  createdAtMillis: body.openedAtMillis,
  updatedAtMillis: body.openedAtMillis
})

/** True if a Main belongs to a list, on any of its pages. For adapters. */
export const isListed = (
  summary: Session.Summary,
  { agent, isArchived, state, titleContains, user, workspaceRoot }: ListOptions
): boolean =>
  summary.kind === "Main" &&
  (workspaceRoot === null || summary.workspaceRoot === workspaceRoot) &&
  (user === undefined || summary.user === user) &&
  (agent === undefined || summary.agent === agent) &&
  (state === undefined || summary.state === state) &&
  (isArchived === undefined || (summary.archivedAtMillis !== undefined) === isArchived) &&
  (titleContains === undefined || foldCase(summary.title).includes(foldCase(titleContains)))

/** Folds the case of ASCII letters only, because every store can compare those. */
const foldCase = (text: string): string => text.replaceAll(/[A-Z]/gu, (letter) => letter.toLowerCase())

/** The order of `list`. For adapters. */
export const byRecency = (a: Cursor, b: Cursor): number =>
  b.updatedAtMillis - a.updatedAtMillis ||
  b.createdAtMillis - a.createdAtMillis ||
  (a.sessionId < b.sessionId ? -1 : Number(a.sessionId > b.sessionId))

/** The order of `sessionsOf`: a session comes before those that it started. For adapters. */
export const byAge = (a: Session.Summary, b: Session.Summary): number =>
  Number(b.kind === "Main") - Number(a.kind === "Main") ||
  a.createdAtMillis - b.createdAtMillis ||
  (a.sessionId < b.sessionId ? -1 : Number(a.sessionId > b.sessionId))

/**
 * Throws EntryRefused if an entry of the batch could not be read back. For adapters, which call it before they write.
 */
export const refuseUnreadable = ({ entries }: Pick<Batch.Batch, "entries">): void => {
  for (const append of entries) {
    const fault = BodyCheck.fault(append)
    if (fault === null) continue
    const { body, expectedSeq, sessionId } = append
    const tag: unknown = (body as { readonly _tag?: unknown } | null | undefined)?._tag
    throw new EntryRefused({ sessionId, seq: expectedSeq, tag: typeof tag === "string" ? tag : "no entry", fault })
  }
}

/**
 * Describes the fault of an append that every store refuses; null: there is none. The fault is a bug of the caller:
 * adapters die with it.
 */
export const assertValidAppend = (
  treeId: Session.SessionId,
  { body, expectedSeq, sessionId }: Batch.Append,
  ownTree: string | null
): string | null => {
  if (ownTree !== null && ownTree !== treeId) return `session ${sessionId} is of tree ${ownTree}, not ${treeId}`
  if ((expectedSeq === 0) === (body._tag === "SessionOpened")) return null
  return `entry ${expectedSeq} of session ${sessionId} is ${body._tag}: the first is SessionOpened, and no other is`
}

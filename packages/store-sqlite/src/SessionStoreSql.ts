/**
 * The journal in one SQLite file, with the blobs that belong to it. Several processes may have it open; each tree has
 * one owner. The format and the commit protocol are described in adr/0006-journal-format.md.
 */
import type { Batch, Inbox, Session } from "@bough/protocol"
import { BlobStore, SessionStore } from "@bough/runtime"
import type { ConversationIndex, NoteStore, ScratchpadStore } from "@bough/tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type { SqlError } from "effect/sql/SqlError"
import * as Append from "./Append.ts"
import * as Blobs from "./Blobs.ts"
import * as ConversationIndexSql from "./conversations/ConversationIndexSql.ts"
import type { Database } from "./driver/Database.ts"
import type * as SqliteClient from "./driver/SqliteClient.ts"
import * as EntryRows from "./EntryRows.ts"
import * as Erasure from "./Erasure.ts"
import * as Failure from "./Failure.ts"
import * as InboxChanges from "./InboxChanges.ts"
import * as InboxRows from "./InboxRows.ts"
import * as Lease from "./Lease.ts"
import * as LeaseOwner from "./LeaseOwner.ts"
import * as LeaseRows from "./LeaseRows.ts"
import * as LogSync from "./LogSync.ts"
import * as NoteStoreSql from "./notes/NoteStoreSql.ts"
import * as Refusal from "./Refusal.ts"
import * as SessionRows from "./SessionRows.ts"
import * as StoreClock from "./StoreClock.ts"
import * as StoreFile from "./StoreFile.ts"
import * as StoreLoad from "./StoreLoad.ts"
import * as Tails from "./Tails.ts"
import * as Upkeep from "./Upkeep.ts"
import * as WriteQueue from "./WriteQueue.ts"

export interface SessionStoreSqlOptions {
  /** The directory of `bough.db`; it is created, private to its owner, if it is missing. */
  readonly directory: string
  /** The time after which an owner that renews no lease loses its trees; default 30 s. */
  readonly leaseMillis?: number
  /**
   * The address at which this process accepts requests for the trees that it owns, such as a URL; other processes get
   * it with TreeBusy.
   */
  readonly address?: string
  /**
   * Called at opening if the system's clock is so far ahead that following it would end open approvals; the store then
   * keeps its own time.
   */
  readonly onClockHeld?: (deviation: StoreClock.Deviation) => void
}

/** The ports that one file implements. */
export type Stores =
  | SessionStore.SessionStore
  | BlobStore.BlobStore
  | NoteStore.NoteStore
  | ScratchpadStore.ScratchpadStore
  | ConversationIndex.ConversationIndex
  | StoreLoad.StoreLoad

/** Makes a read that may also fail because of damage. */
const reader =
  (client: SqliteClient.SqliteClient) =>
  <A, E>(
    operation: string,
    read: (database: Database) => Result.Result<A, E>
  ): Effect.Effect<A, E | SessionStore.StoreFailed> =>
    client.sync(read).pipe(
      Effect.mapError((error) => Failure.storeFailed(operation, error)),
      Effect.flatMap(Effect.fromResult)
    )

const make = Effect.fnUntraced(function* (
  options: SessionStoreSqlOptions
): Effect.fn.Return<Context.Context<Stores>, SessionStore.StoreRefused, Scope.Scope> {
  const client = yield* StoreFile.open(options.directory)
  const leaseMillis = options.leaseMillis ?? Lease.defaultMillis
  const clock = yield* Effect.mapError(StoreClock.make(client), (error) =>
    Refusal.fromSql(StoreFile.pathIn(options.directory), error)
  )
  const { now } = clock
  if (clock.opened.endsApprovals) options.onClockHeld?.(clock.opened)
  const tails = Tails.make()
  const isInPlace = StoreFile.placeOf(options.directory)
  const logSync = yield* LogSync.make(`${StoreFile.pathIn(options.directory)}-wal`)
  const queue = WriteQueue.make({ client, logSync, now, onRollback: tails.clear, isInPlace })
  const erasure = Erasure.make(client, StoreFile.pathIn(options.directory))
  const reporting = Effect.catch((error: SqlError) => Effect.sync(() => queue.failed(error)))
  const erase = erasure.run.pipe(reporting)
  yield* Effect.addFinalizer(() => erasure.close.pipe(reporting))
  const lease = Lease.make({ client, queue, leaseMillis, address: options.address ?? null })
  yield* Effect.addFinalizer(() => lease.releaseAll)
  yield* Upkeep.start([lease.renewAll, Effect.ignore(clock.follow), erase], lease.renewEveryMillis)
  const listeners = yield* InboxChanges.make(client)
  const sessions = SessionRows.make(client)
  const read = reader(client)

  const commit = (batch: Batch.Batch) =>
    Effect.suspend(() => {
      const run = Append.make({ tails, leaseMillis }, batch, Append.prepare(batch))
      const { durability, treeId } = batch
      return lease.renewing(batch, queue.write({ operation: "commit", treeId, durability, run }))
    })

  const submit = (submission: Inbox.Submission) =>
    Effect.suspend(() =>
      queue.write({
        operation: "submit",
        treeId: submission.treeId,
        durability: "Full",
        run: InboxRows.submit(submission)
      })
    ).pipe(Effect.tap(({ inserted }) => Effect.sync(() => inserted && listeners.notify(submission.treeId))))

  const remove = Effect.fnUntraced(function* (treeId: Session.SessionId) {
    const found = yield* LeaseOwner.unowned({ client, queue, leaseMillis }, treeId)
    if (found.epoch === null) return yield* new SessionStore.SessionNotFound({ sessionId: treeId })
    const SessionRemoval = yield* Effect.promise(() => import("./SessionRemoval.ts"))
    yield* queue.write({
      operation: "remove the session",
      durability: "Full",
      run: (database, nowMillis) =>
        LeaseRows.isStill(database, treeId, found)
          ? SessionRemoval.remove(database, treeId, nowMillis)
          : Result.fail(new SessionStore.TreeBusy({ treeId, owner: "another process", freeInMillis: null }))
    })
    erasure.due()
  })

  return Context.make(SessionStore.SessionStore, {
    ...sessions,
    acquire: lease.acquire,
    ownedElsewhere: lease.ownedElsewhere,
    secure: lease.secure,
    watchLease: lease.watch,
    release: (given) => Effect.tap(lease.release(given), () => Effect.sync(() => tails.forget(given.treeId))),
    commit,
    entries: (sessionId, fromSeq, limit) =>
      read("read the journal", (database) => EntryRows.read(database, { sessionId, fromSeq, limit })),
    remove,
    describe: (sessionId, description) =>
      Effect.flatMap(
        queue.write({
          operation: "describe the session",
          durability: "Full",
          run: (database, nowMillis) => SessionRows.describe(database, sessionId, { ...description, nowMillis })
        }),
        () => sessions.session(sessionId)
      ),
    submit,
    inbox: (treeId) => read("read the inbox", (database) => InboxRows.open(database, treeId)),
    work: Effect.flatMap(now, (nowMillis) =>
      read("look for work", (database) => Result.succeed(SessionRows.work(database, nowMillis)))
    ),
    workOf: (treeId) =>
      Effect.flatMap(now, (nowMillis) =>
        read("look for work", (database) => Result.succeed(SessionRows.workOf(database, treeId, nowMillis)))
      ),
    watchInbox: listeners.watch,
    pendingApprovals: (treeId, filter) =>
      read("read the approvals", (database) => InboxRows.pendingApprovals(database, treeId, filter)),
    approval: (approvalId) => read("read the approval", (database) => InboxRows.approval(database, approvalId)),
    now
  }).pipe(
    Context.add(BlobStore.BlobStore, {
      put: (bytes) =>
        Effect.suspend(() => {
          const blob = Blobs.make(bytes.slice())
          const run = (database: Database, nowMillis: number) => {
            Blobs.insert(database, blob, nowMillis)
            return Result.succeed(blob.digest)
          }
          return queue.write({ operation: "store a blob", durability: "Full", run })
        }),
      get: (digest) => read("read a blob", (database) => Blobs.read(database, digest))
    }),
    Context.merge(NoteStoreSql.make(client, queue, erasure.due)),
    Context.merge(ConversationIndexSql.make(client, queue)),
    Context.add(StoreLoad.StoreLoad, {
      read: read("count pending commands", (database) =>
        Result.succeed({
          ...queue.counts(),
          inboxRows: Number(database.get("SELECT count(*) AS rows FROM inbox WHERE done = 0")?.["rows"] ?? 0)
        })
      )
    })
  )
})

/**
 * Provides all ports over one file. Fails, and leaves the file unchanged, if it is not Bough's, newer, torn, locked or
 * not writable.
 */
export const layer = (options: SessionStoreSqlOptions): Layer.Layer<Stores, SessionStore.StoreRefused> =>
  Layer.effectContext(make(options))

/**
 * The lease of a tree: one process owns it, until a deadline that its writes extend. An owner that has verifiably died
 * is replaced at once, any other owner at its deadline. The epoch rejects its late writes:
 * adr/0041-leases-with-a-deadline.md, adr/0143-leases-among-kernels.md.
 */
import type { ProcessIdentity } from "@bough/disk"
import type { Session } from "@bough/protocol"
import { LeaseWatchers, SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import type * as SqliteClient from "./driver/SqliteClient.ts"
import * as Failure from "./Failure.ts"
import * as LeaseProcess from "./LeaseProcess.ts"
import * as LeaseRows from "./LeaseRows.ts"
import * as LeaseSightings from "./LeaseSightings.ts"
import type { WriteQueue } from "./WriteQueue.ts"

/** The time after which an owner that renews no lease loses its trees. */
export const defaultMillis = 30_000

export interface LeaseOptions {
  readonly client: SqliteClient.SqliteClient
  readonly queue: WriteQueue
  readonly leaseMillis: number
  /** The address at which this process accepts requests for its trees; null: it has none. */
  readonly address: string | null
  /** The process that takes the leases; default: this one. */
  readonly process?: LeaseProcess.LeaseProcess
}

interface HeldLease {
  readonly lease: SessionStore.Lease
  /** The deadline on this process's monotonic clock. */
  readonly untilMillis: number
  /** The time that the machine had slept at the last renewal, or earlier: a process of another kernel counts it. */
  readonly asleepMillis: number
}

const readStored = (
  { client }: Pick<LeaseOptions, "client">,
  treeId: Session.SessionId
): Effect.Effect<LeaseRows.LeaseRow, SessionStore.StoreFailed> =>
  Effect.mapError(
    client.sync((database) => LeaseRows.read(database, treeId)),
    (error) => Failure.storeFailed("look for the owner", error)
  )

/**
 * Returns the remaining time of a lease; null: it changed while it was measured. A lease of another kernel has its whole
 * length from the moment at which a process of this boot first saw it.
 */
const remaining = Effect.fnUntraced(function* (
  { client, leaseMillis, process = LeaseProcess.own, queue }: OwnerCheckOptions,
  treeId: Session.SessionId,
  found: LeaseRows.LeaseRow
): Effect.fn.Return<number | null, SessionStore.StoreFailed> {
  const self = yield* process.identity
  const known = LeaseRows.remainingMillis(found, self, process.monotonicMillis())
  if (known !== null) return known
  const counter = LeaseRows.counterOf(self)
  const viewer = (): LeaseSightings.Viewer => ({ counter, atMillis: process.monotonicMillis() })
  const length = found.leaseMillis ?? leaseMillis
  const seenForMillis = yield* Effect.mapError(
    client.sync((database) => LeaseSightings.seenForMillis(database, { ...found, treeId }, viewer())),
    (error) => Failure.storeFailed("look for the owner", error)
  )
  if (seenForMillis !== null) return length - seenForMillis
  return yield* queue.write({
    operation: "note the owner",
    treeId,
    durability: "Relaxed", // a power cut that loses this write also ends the clock
    run: (database): Result.Result<number | null> => {
      if (!LeaseRows.isStill(database, treeId, found)) return Result.succeed(null)
      LeaseSightings.store(database, { ...found, treeId }, viewer())
      return Result.succeed(length)
    }
  })
})

type OwnerCheckOptions = Pick<LeaseOptions, "client" | "leaseMillis" | "process" | "queue">

/** Returns the stored owner of a tree whose lease is free; fails with TreeBusy while its owner may be alive. */
export const unowned = Effect.fnUntraced(function* (
  options: OwnerCheckOptions,
  treeId: Session.SessionId
): Effect.fn.Return<LeaseRows.LeaseRow, SessionStore.TreeBusy | SessionStore.StoreFailed> {
  while (true) {
    const found = yield* readStored(options, treeId)
    if (found.owner === null) return found
    const life = yield* (options.process ?? LeaseProcess.own).lifeOf(found.owner)
    if (life === "Dead") return found
    const remainingMillis = yield* remaining(options, treeId, found)
    if (remainingMillis === null) continue
    if (remainingMillis <= 0) return found
    const owner = `process ${found.owner.pid} on ${found.owner.host}`
    return yield* new SessionStore.TreeBusy({
      treeId,
      owner,
      freeInMillis: life === "Alive" ? null : remainingMillis,
      ...(found.address === null ? {} : { address: found.address })
    })
  }
})

export const make = (options: LeaseOptions) => {
  const { address, leaseMillis, process = LeaseProcess.own, queue } = options
  /** The minimum remaining time of a lease with which an effect may begin; a shorter lease is renewed first. */
  const marginMillis = leaseMillis / 3
  const heldLeases = new Map<Session.SessionId, HeldLease>()
  const watchers = LeaseWatchers.make()
  /** The last reading; a commit does not read it again. */
  let asleepMillis = process.asleepMillis()
  const noteSleep = (): void => void (asleepMillis = Math.max(asleepMillis, process.asleepMillis()))

  /** Returns the time for which this process certainly has the lease. Processes of other kernels count its sleep. */
  const leftMillis = ({ asleepMillis: before, untilMillis }: HeldLease): number =>
    untilMillis - process.monotonicMillis() - (asleepMillis - before)

  /** Returns the deadline of a lease that is extended by a write that starts now. */
  const deadline = () => ({ untilMillis: process.monotonicMillis() + leaseMillis, asleepMillis })

  /** Removes a lease that this process has lost. */
  const lose = (lease: SessionStore.Lease): void => {
    if (heldLeases.get(lease.treeId)?.lease.epoch === lease.epoch) heldLeases.delete(lease.treeId)
    watchers.lose(lease)
  }

  /**
   * Runs a write that extends the lease. The new deadline is counted from the start of the write, so it is never later
   * than the stored one.
   */
  const renewing = <A, E>(lease: SessionStore.Lease, write: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      const { epoch, treeId } = lease
      const until = deadline()
      return Effect.onExit(write, (exit) => {
        if (Exit.isSuccess(exit)) heldLeases.set(treeId, { lease: { treeId, epoch }, ...until })
        else if (isLost(exit)) lose({ treeId, epoch })
        return Effect.void
      })
    })

  const ownedElsewhere = (
    treeId: Session.SessionId
  ): Effect.Effect<SessionStore.TreeBusy | null, SessionStore.StoreFailed> =>
    unowned(options, treeId).pipe(
      Effect.as(null),
      Effect.catchTag("TreeBusy", (busy) =>
        Effect.map(readStored(options, treeId), ({ epoch }) =>
          heldLeases.get(treeId)?.lease.epoch === epoch ? null : busy
        )
      )
    )

  /** Takes the lease; null: another process took it first. */
  const take = (treeId: Session.SessionId, found: LeaseRows.LeaseRow, self: ProcessIdentity.ProcessIdentity) =>
    queue.write({
      operation: "take the lease",
      treeId,
      durability: "Relaxed", // a power cut that loses this write also loses the owner
      run: (database): Result.Result<number | null> =>
        Result.succeed(
          LeaseRows.isStill(database, treeId, found)
            ? LeaseRows.take(database, treeId, { self, address, atMillis: process.monotonicMillis(), leaseMillis })
            : null
        )
    })

  const acquire = Effect.fnUntraced(function* (
    treeId: Session.SessionId
  ): Effect.fn.Return<SessionStore.Lease, SessionStore.TreeBusy | SessionStore.StoreFailed> {
    const self = yield* process.identity
    while (true) {
      const found = yield* unowned(options, treeId)
      const until = deadline()
      const epoch = yield* take(treeId, found, self)
      if (epoch === null) continue
      const lease = { treeId, epoch }
      heldLeases.set(treeId, { lease, ...until })
      return lease
    }
  }, Effect.uninterruptible)

  /** Renews the leases in one write; returns those that are lost. */
  const renew = Effect.fnUntraced(function* (
    leases: ReadonlyArray<SessionStore.Lease>
  ): Effect.fn.Return<ReadonlySet<SessionStore.Lease>, SessionStore.StoreFailed> {
    const until = deadline()
    const lost = yield* queue.write({
      operation: "renew the lease",
      durability: "Relaxed",
      run: (database): Result.Result<ReadonlySet<SessionStore.Lease>> => {
        const renewal = { atMillis: process.monotonicMillis(), leaseMillis }
        return Result.succeed(new Set(leases.filter((lease) => !LeaseRows.renew(database, lease, renewal))))
      }
    })
    for (const lease of leases) {
      if (!lost.has(lease)) heldLeases.set(lease.treeId, { lease, ...until })
      else lose(lease)
    }
    return lost
  })

  /** Renews, in one write, all leases that would be too short by the next renewal. */
  const renewAll = Effect.suspend(() => {
    noteSleep()
    const leases = [...heldLeases.values()]
      .filter((each) => leftMillis(each) < leaseMillis - marginMillis)
      .map(({ lease }) => lease)
    return leases.length === 0 ? Effect.void : Effect.asVoid(Effect.ignore(renew(leases)))
  })

  /** Succeeds once the lease has the margin left that an effect under it needs. */
  const secure = (lease: SessionStore.Lease): Effect.Effect<void, SessionStore.LeaseLost | SessionStore.StoreFailed> =>
    Effect.suspend(() => {
      const found = heldLeases.get(lease.treeId)
      noteSleep()
      const isSafe = found?.lease.epoch === lease.epoch && leftMillis(found) >= marginMillis
      if (isSafe) return Effect.void
      return Effect.flatMap(renew([lease]), (lost) =>
        lost.size === 0 ? Effect.void : Effect.fail(new SessionStore.LeaseLost({ treeId: lease.treeId }))
      )
    })

  const release = (lease: SessionStore.Lease): Effect.Effect<void, SessionStore.StoreFailed> =>
    queue.write({
      operation: "give up the lease",
      treeId: lease.treeId,
      durability: "Relaxed",
      run: (database): Result.Result<void> => {
        LeaseRows.release(database, lease)
        if (heldLeases.get(lease.treeId)?.lease.epoch === lease.epoch) heldLeases.delete(lease.treeId)
        return Result.succeed(undefined)
      }
    })

  /** Releases all leases when the store closes, so that no process has to wait for them. */
  const releaseAll = Effect.suspend(() =>
    Effect.forEach(Array.from(heldLeases.values()), ({ lease }) => Effect.ignore(release(lease)), { discard: true })
  )

  return {
    watch: watchers.watch,
    ownedElsewhere,
    acquire,
    release,
    releaseAll,
    renewAll,
    renewing,
    secure,
    renewEveryMillis: marginMillis
  }
}

const isLost = (exit: Exit.Failure<unknown, unknown>): boolean => {
  const error = Exit.findErrorOption(exit)
  return error._tag === "Some" && error.value instanceof SessionStore.LeaseLost
}

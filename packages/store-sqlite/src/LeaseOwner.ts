/**
 * Finds out whether the lease of a tree is free: it has no owner, its owner has verifiably died, or its deadline has
 * passed. adr/0041-leases-with-a-deadline.md, adr/0143-leases-among-kernels.md.
 */
import type { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as SqliteClient from "./driver/SqliteClient.ts"
import * as Failure from "./Failure.ts"
import * as LeaseProcess from "./LeaseProcess.ts"
import * as LeaseRows from "./LeaseRows.ts"
import * as LeaseSightings from "./LeaseSightings.ts"
import type { WriteQueue } from "./WriteQueue.ts"

export interface OwnerCheckOptions {
  readonly client: SqliteClient.SqliteClient
  readonly queue: WriteQueue
  readonly leaseMillis: number
  /** The process that looks for the owner; default: this one. */
  readonly process?: LeaseProcess.LeaseProcess
}

export const readStored = (
  { client }: Pick<OwnerCheckOptions, "client">,
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

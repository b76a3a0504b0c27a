/** The writes that take, renew and release leases. */
import type { Session } from "@bough/protocol"
import type { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as LeaseProcess from "./LeaseProcess.ts"
import * as LeaseRows from "./LeaseRows.ts"
import type { WriteQueue } from "./WriteQueue.ts"

export interface LeaseWritesOptions {
  readonly queue: WriteQueue
  readonly process: LeaseProcess.LeaseProcess
  readonly leaseMillis: number
  readonly address: string | null
}

export interface LeaseWrites {
  /** Takes the lease from the owner that was found and returns its epoch; null: another process took it first. */
  readonly take: (
    treeId: Session.SessionId,
    found: LeaseRows.LeaseRow
  ) => Effect.Effect<number | null, SessionStore.StoreFailed>
  /** Renews the leases in one write; returns those that are lost. */
  readonly renew: (
    leases: ReadonlyArray<SessionStore.Lease>
  ) => Effect.Effect<ReadonlySet<SessionStore.Lease>, SessionStore.StoreFailed>
  /** Calls `onRelease` in the transaction that releases the lease. */
  readonly release: (lease: SessionStore.Lease, onRelease: () => void) => Effect.Effect<void, SessionStore.StoreFailed>
}

export const make = ({ address, leaseMillis, process, queue }: LeaseWritesOptions): LeaseWrites => ({
  take: (treeId, found) =>
    Effect.flatMap(process.identity, (self) =>
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
    ),
  renew: (leases) =>
    queue.write({
      operation: "renew the lease",
      durability: "Relaxed",
      run: (database): Result.Result<ReadonlySet<SessionStore.Lease>> => {
        const renewal = { atMillis: process.monotonicMillis(), leaseMillis }
        return Result.succeed(new Set(leases.filter((lease) => !LeaseRows.renew(database, lease, renewal))))
      }
    }),
  release: (lease, onRelease) =>
    queue.write({
      operation: "give up the lease",
      treeId: lease.treeId,
      durability: "Relaxed",
      run: (database): Result.Result<void> => {
        LeaseRows.release(database, lease)
        onRelease()
        return Result.succeed(undefined)
      }
    })
})

/**
 * The lease of a tree: one process owns it, until a deadline that its writes extend. An owner that has verifiably died
 * is replaced at once, any other owner at its deadline. The epoch rejects its late writes:
 * adr/0041-leases-with-a-deadline.md, adr/0143-leases-among-kernels.md.
 */
import type { Session } from "@bough/protocol"
import { LeaseWatchers, SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { HeldLeases } from "./HeldLeases.ts"
import * as LeaseOwner from "./LeaseOwner.ts"
import * as LeaseProcess from "./LeaseProcess.ts"
import * as LeaseWrites from "./LeaseWrites.ts"

/** The time after which an owner that renews no lease loses its trees. */
export const defaultMillis = 30_000

export interface LeaseOptions extends LeaseOwner.OwnerCheckOptions {
  /** The address at which this process accepts requests for its trees; null: it has none. */
  readonly address: string | null
}

/** Takes, renews and releases the leases of this process. */
export class TreeLeases {
  readonly renewEveryMillis: number
  readonly #options: LeaseOptions
  readonly #held: HeldLeases
  readonly #writes: LeaseWrites.LeaseWrites
  readonly #watchers = LeaseWatchers.make()

  constructor(options: LeaseOptions) {
    const { leaseMillis, process = LeaseProcess.own } = options
    this.renewEveryMillis = leaseMillis / 3
    this.#options = options
    this.#held = new HeldLeases(process, leaseMillis)
    this.#writes = LeaseWrites.make({ ...options, process })
  }

  readonly watch = this.#watchers.watch

  readonly acquire = (
    treeId: Session.SessionId
  ): Effect.Effect<SessionStore.Lease, SessionStore.TreeBusy | SessionStore.StoreFailed> =>
    Effect.gen({ self: this }, function* () {
      while (true) {
        const found = yield* LeaseOwner.unowned(this.#options, treeId)
        const deadline = this.#held.deadline()
        const epoch = yield* this.#writes.take(treeId, found)
        if (epoch === null) continue
        const lease = { treeId, epoch }
        this.#held.add(lease, deadline)
        return lease
      }
    }).pipe(Effect.uninterruptible)

  readonly ownedElsewhere = (
    treeId: Session.SessionId
  ): Effect.Effect<SessionStore.TreeBusy | null, SessionStore.StoreFailed> =>
    LeaseOwner.unowned(this.#options, treeId).pipe(
      Effect.as(null),
      Effect.catchTag("TreeBusy", (busy) =>
        Effect.map(LeaseOwner.readStored(this.#options, treeId), ({ epoch }) =>
          this.#held.has({ treeId, epoch }) ? null : busy
        )
      )
    )

  /**
   * Runs a write that extends the lease. The new deadline is counted from the start of the write, so it is never later
   * than the stored one.
   */
  readonly renewing = <A, E>({ epoch, treeId }: SessionStore.Lease, write: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      const deadline = this.#held.deadline()
      return Effect.onExit(write, (exit) => {
        if (Exit.isSuccess(exit)) this.#held.add({ treeId, epoch }, deadline)
        else if (isLost(exit)) this.#lose({ treeId, epoch })
        return Effect.void
      })
    })

  /** Renews, in one write, all leases that would be too short by the next renewal. */
  readonly renewAll: Effect.Effect<void> = Effect.suspend(() => {
    this.#held.noteSleep()
    const lastingMillis = this.#options.leaseMillis - this.renewEveryMillis
    const leases = this.#held.all().filter((lease) => !this.#held.lastsFor(lease, lastingMillis))
    return leases.length === 0 ? Effect.void : Effect.asVoid(Effect.ignore(this.#renew(leases)))
  })

  /** Renews the lease if less time remains of it than an effect needs that begins now. */
  readonly secure = (
    lease: SessionStore.Lease
  ): Effect.Effect<void, SessionStore.LeaseLost | SessionStore.StoreFailed> =>
    Effect.suspend(() => {
      this.#held.noteSleep()
      if (this.#held.lastsFor(lease, this.renewEveryMillis)) return Effect.void
      return Effect.flatMap(this.#renew([lease]), (lost) =>
        lost.size === 0 ? Effect.void : Effect.fail(new SessionStore.LeaseLost({ treeId: lease.treeId }))
      )
    })

  readonly release = (lease: SessionStore.Lease): Effect.Effect<void, SessionStore.StoreFailed> =>
    this.#writes.release(lease, () => this.#held.remove(lease))

  /** Releases all leases when the store closes, so that no process has to wait for them. */
  readonly releaseAll: Effect.Effect<void> = Effect.suspend(() =>
    Effect.forEach(this.#held.all(), (lease) => Effect.ignore(this.release(lease)), { discard: true })
  )

  /** Renews the leases in one write; returns those that are lost. */
  readonly #renew = (leases: ReadonlyArray<SessionStore.Lease>) =>
    Effect.suspend(() => {
      const deadline = this.#held.deadline()
      return Effect.map(this.#writes.renew(leases), (lost) => {
        for (const lease of leases) {
          if (lost.has(lease)) this.#lose(lease)
          else this.#held.add(lease, deadline)
        }
        return lost
      })
    })

  #lose(lease: SessionStore.Lease): void {
    this.#held.remove(lease)
    this.#watchers.lose(lease)
  }
}

export const make = (options: LeaseOptions): TreeLeases => new TreeLeases(options)

const isLost = (exit: Exit.Failure<unknown, unknown>): boolean => {
  const error = Exit.findErrorOption(exit)
  return error._tag === "Some" && error.value instanceof SessionStore.LeaseLost
}

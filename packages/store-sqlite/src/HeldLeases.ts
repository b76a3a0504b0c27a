/** The leases that this process has, each with its deadline on the process's monotonic clock. */
import type { Session } from "@bough/protocol"
import type { SessionStore } from "@bough/runtime"
import type * as LeaseProcess from "./LeaseProcess.ts"

/** The deadline of a lease, as this process measures it. */
export interface Deadline {
  readonly untilMillis: number
  /** The time that the machine had slept at the renewal, or earlier: a process of another kernel counts it. */
  readonly asleepMillis: number
}

interface HeldLease extends Deadline {
  readonly lease: SessionStore.Lease
}

export class HeldLeases {
  readonly #leases = new Map<Session.SessionId, HeldLease>()
  readonly #process: LeaseProcess.LeaseProcess
  readonly #leaseMillis: number
  /** The last reading; a commit does not read it again. */
  #asleepMillis: number

  constructor(process: LeaseProcess.LeaseProcess, leaseMillis: number) {
    this.#process = process
    this.#leaseMillis = leaseMillis
    this.#asleepMillis = process.asleepMillis()
  }

  /** Returns the deadline of a lease that is extended by a write that starts now. */
  deadline(): Deadline {
    return { untilMillis: this.#process.monotonicMillis() + this.#leaseMillis, asleepMillis: this.#asleepMillis }
  }

  add(lease: SessionStore.Lease, { asleepMillis, untilMillis }: Deadline): void {
    this.#leases.set(lease.treeId, { lease, untilMillis, asleepMillis })
  }

  /** Removes the lease, unless the process has acquired a later one of the tree. */
  remove(lease: SessionStore.Lease): void {
    if (this.has(lease)) this.#leases.delete(lease.treeId)
  }

  has({ epoch, treeId }: { readonly treeId: Session.SessionId; readonly epoch: number | null }): boolean {
    return this.#leases.get(treeId)?.lease.epoch === epoch
  }

  all(): ReadonlyArray<SessionStore.Lease> {
    return Array.from(this.#leases.values(), ({ lease }) => lease)
  }

  /** Reads the time that the machine has slept, which shortens every lease. */
  noteSleep(): void {
    this.#asleepMillis = Math.max(this.#asleepMillis, this.#process.asleepMillis())
  }

  /** True if this process certainly has the lease for at least that time. */
  lastsFor(lease: SessionStore.Lease, millis: number): boolean {
    const held = this.#leases.get(lease.treeId)
    return held?.lease.epoch === lease.epoch && this.#remainingMillis(held) >= millis
  }

  /** Processes of other kernels count the time that this machine sleeps. */
  #remainingMillis({ asleepMillis, untilMillis }: Deadline): number {
    return untilMillis - this.#process.monotonicMillis() - (this.#asleepMillis - asleepMillis)
  }
}

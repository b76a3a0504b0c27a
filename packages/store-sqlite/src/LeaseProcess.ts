/** The process that takes leases: its identity, what it knows about other processes, and its clocks. */
import { ProcessIdentity } from "@bough/disk"
import type * as Effect from "effect/Effect"
import * as LeaseRows from "./LeaseRows.ts"
import * as Sleep from "./Sleep.ts"

export interface LeaseProcess {
  readonly identity: Effect.Effect<ProcessIdentity.ProcessIdentity>
  readonly lifeOf: (other: ProcessIdentity.ProcessIdentity) => Effect.Effect<ProcessIdentity.Life>
  /** Reads the kernel's monotonic clock, which stops while the machine sleeps. */
  readonly monotonicMillis: () => number
  /** Returns the time for which the machine slept since it started. */
  readonly asleepMillis: () => number
}

/** This process. */
export const own: LeaseProcess = {
  identity: ProcessIdentity.own,
  lifeOf: ProcessIdentity.lifeOf,
  monotonicMillis: LeaseRows.monotonicMillis,
  asleepMillis: Sleep.asleepMillis
}

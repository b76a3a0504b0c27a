/**
 * Measures a lease whose deadline is on another kernel's clock. A waiting process stores when it first saw the lease, on
 * its own monotonic clock; the lease has ended if it was not renewed for its whole length since. A later process of the
 * same boot continues the measurement, and no date takes part in it: adr/0143-leases-among-kernels.md.
 */
import type { Database } from "./driver/Database.ts"

/** A lease at one moment: its renewal changes the deadline, another owner the epoch. */
export interface SeenLease {
  readonly treeId: string
  readonly epoch: number | null
  readonly deadline: { readonly counter: string; readonly counterMillis: number }
}

/** A reading of the monotonic clock of the process that waits. */
export interface Viewer {
  readonly counter: string
  readonly atMillis: number
}

/** Returns the time since this clock first saw the lease as it is; null: it has not seen this lease. */
export const seenForMillis = (
  database: Database,
  { deadline, epoch, treeId }: SeenLease,
  { atMillis, counter }: Viewer
): number | null => {
  const row = database.get(
    `SELECT seen_millis FROM lease_sightings WHERE tree_id = ? AND counter = ? AND epoch = ? AND deadline_counter = ?
       AND deadline_millis = ? AND seen_millis <= ?`,
    [treeId, counter, epoch, deadline.counter, deadline.counterMillis, atMillis]
  )
  return row === undefined ? null : atMillis - Number(row["seen_millis"])
}

/** Stores that this clock sees the lease for the first time. */
export const store = (
  database: Database,
  { deadline, epoch, treeId }: SeenLease,
  { atMillis, counter }: Viewer
): void =>
  void database.run("INSERT OR REPLACE INTO lease_sightings VALUES (?, ?, ?, ?, ?, ?)", [
    treeId,
    counter,
    epoch,
    deadline.counter,
    deadline.counterMillis,
    atMillis
  ])

/** Removes the sightings of a tree that has a new owner, or is removed. */
export const forget = (database: Database, treeId: string): void =>
  void database.run("DELETE FROM lease_sightings WHERE tree_id = ?", [treeId])

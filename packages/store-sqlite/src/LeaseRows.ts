/**
 * A tree's owner and the deadline of its lease, as columns. No date decides about a lease:
 * adr/0143-leases-among-kernels.md.
 */
import type { ProcessIdentity } from "@bough/disk"
import type { Session } from "@bough/protocol"
import type { SessionStore } from "@bough/runtime"
import { randomUUID } from "node:crypto"
import type { Database, Row } from "./driver/Database.ts"
import * as LeaseSightings from "./LeaseSightings.ts"

/** A deadline on the monotonic clock of one kernel. It changes with every renewal. */
interface Deadline {
  readonly counter: string
  readonly counterMillis: number
}

/** `epoch` is null if the tree does not exist; `owner` is null if it has no owner. */
export interface LeaseRow {
  readonly epoch: number | null
  readonly owner: ProcessIdentity.ProcessIdentity | null
  /** The address at which the owner accepts requests for its trees; null: it announced none. */
  readonly address: string | null
  readonly deadline: Deadline
  /** The time by which the owner extends its lease; null: an owner of an earlier version did not store it. */
  readonly leaseMillis: number | null
}

/**
 * Reads the kernel's monotonic clock, which all processes of one time namespace share. It stops while the machine
 * sleeps.
 */
export const monotonicMillis = (): number => Number(process.hrtime.bigint() / 1_000_000n)

/** Identifies this process's clock where the platform does not report the boot: no other process can read it. */
let ownCounter: string | null = null

/** Identifies the monotonic clock that a process reads: a time namespace has its own. */
export const counterOf = ({ boot, namespace }: ProcessIdentity.ProcessIdentity): string =>
  boot === "" ? (ownCounter ??= randomUUID()) : `${boot} ${/time:\[\d+\]/.exec(namespace)?.[0] ?? ""}`

export const read = (database: Database, treeId: string): LeaseRow => {
  const row = database.get("SELECT * FROM trees WHERE tree_id = ?", [treeId])
  if (row === undefined) return { epoch: null, owner: null, address: null, deadline: none, leaseMillis: null }
  return {
    epoch: Number(row["epoch"]),
    owner: ownerOf(row),
    address: typeof row["owner_address"] === "string" ? row["owner_address"] : null,
    deadline: {
      counter: textOf(row["lease_counter"]),
      counterMillis: Number(row["lease_counter_millis"] ?? 0)
    },
    leaseMillis: typeof row["lease_millis"] === "number" ? row["lease_millis"] : null
  }
}

const none: Deadline = { counter: "", counterMillis: 0 }

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

const ownerOf = (row: Row): ProcessIdentity.ProcessIdentity | null =>
  row["owner_pid"] === null
    ? null
    : {
        pid: Number(row["owner_pid"]),
        start: textOf(row["owner_start"]),
        boot: textOf(row["owner_boot"]),
        namespace: textOf(row["owner_namespace"]),
        machine: textOf(row["owner_machine"]),
        host: textOf(row["owner_host"])
      }

/**
 * Returns the remaining time of the lease, zero or less after its deadline; null: the deadline is on a clock that this
 * process cannot read.
 */
export const remainingMillis = (
  { deadline }: LeaseRow,
  self: ProcessIdentity.ProcessIdentity,
  atMillis: number
): number | null => (deadline.counter === counterOf(self) ? deadline.counterMillis - atMillis : null)

/**
 * True if the tree's row is unchanged since it was read: another process may have taken the tree since, or the owner
 * renewed its lease.
 */
export const isStill = (database: Database, treeId: string, found: LeaseRow): boolean => {
  const now = read(database, treeId)
  return (
    now.epoch === found.epoch &&
    (now.owner === null) === (found.owner === null) &&
    now.deadline.counter === found.deadline.counter &&
    now.deadline.counterMillis === found.deadline.counterMillis
  )
}

export interface LeaseClaim {
  readonly self: ProcessIdentity.ProcessIdentity
  readonly address?: string | null
  /** The current reading of the monotonic clock. */
  readonly atMillis: number
  readonly leaseMillis: number
}

/** Makes a process the owner; returns its epoch. */
export const take = (
  database: Database,
  treeId: Session.SessionId,
  { address = null, atMillis, leaseMillis, self }: LeaseClaim
): number | null => {
  LeaseSightings.forget(database, treeId)
  const row = database.get(
    `INSERT INTO trees (tree_id, epoch, commits, owner_pid, owner_start, owner_boot, owner_host, owner_namespace,
       owner_machine, lease_counter, lease_counter_millis, lease_millis, owner_address)
     VALUES (?, 1, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (tree_id) DO UPDATE SET epoch = epoch + 1, owner_pid = excluded.owner_pid,
       owner_start = excluded.owner_start, owner_boot = excluded.owner_boot, owner_host = excluded.owner_host,
       owner_namespace = excluded.owner_namespace, owner_machine = excluded.owner_machine,
       lease_counter = excluded.lease_counter, lease_counter_millis = excluded.lease_counter_millis,
       lease_millis = excluded.lease_millis, owner_address = excluded.owner_address
     RETURNING epoch`,
    [
      treeId,
      self.pid,
      self.start,
      self.boot,
      self.host,
      self.namespace,
      self.machine,
      counterOf(self),
      atMillis + leaseMillis,
      leaseMillis,
      address
    ]
  )
  return row === undefined ? null : Number(row["epoch"])
}

/**
 * The deadline that a write sets. It differs from the one before, even if the clock stood still because the machine
 * slept: others must see that the lease was renewed.
 */
export const extended = "max(?, lease_counter_millis + 1)"

/** Renews the lease; returns false if it is lost. An expired lease is renewed if no other process has taken it. */
export const renew = (
  database: Database,
  { epoch, treeId }: SessionStore.Lease,
  { atMillis, leaseMillis }: Pick<LeaseClaim, "atMillis" | "leaseMillis">
): boolean =>
  database.run(
    `UPDATE trees SET lease_counter_millis = ${extended} WHERE tree_id = ? AND epoch = ? AND owner_pid IS NOT NULL`,
    [atMillis + leaseMillis, treeId, epoch]
  ).changes > 0

export const release = (database: Database, { epoch, treeId }: SessionStore.Lease): void =>
  void database.run(
    `UPDATE trees SET owner_pid = NULL, owner_start = NULL, owner_boot = NULL, owner_host = NULL, owner_namespace = NULL,
       owner_machine = NULL, owner_address = NULL, lease_counter = NULL, lease_counter_millis = NULL, lease_millis = NULL
     WHERE tree_id = ? AND epoch = ?`,
    [treeId, epoch]
  )

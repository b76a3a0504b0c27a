/** Who owns a tree: one live process. A dead one is replaced at once; the epoch fences what it may still try to write. */
import type { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import type { Database, Row, SqliteClient } from "@bough/sqlite"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Failure from "./Failure.ts"
import * as ProcessIdentity from "./ProcessIdentity.ts"
import type { WriteQueue } from "./WriteQueue.ts"

/** `epoch` null: no such tree; `owner` null: nobody owns it. */
interface Owned {
  readonly epoch: number | null
  readonly owner: ProcessIdentity.ProcessIdentity | null
}

const read = (database: Database, treeId: string): Owned => {
  const row = database.get(
    "SELECT epoch, owner_pid, owner_start, owner_boot, owner_host FROM trees WHERE tree_id = ?",
    [treeId]
  )
  return row === undefined ? { epoch: null, owner: null } : { epoch: Number(row["epoch"]), owner: ownerOf(row) }
}

const ownerOf = (row: Row): ProcessIdentity.ProcessIdentity | null =>
  row["owner_pid"] === null
    ? null
    : {
        pid: Number(row["owner_pid"]),
        start: String(row["owner_start"]),
        boot: String(row["owner_boot"]),
        host: String(row["owner_host"])
      }

/** What is stored of a tree's owner, once he is known to be gone; TreeBusy while he lives. */
export const unowned = Effect.fnUntraced(function* (client: SqliteClient.SqliteClient, treeId: Session.SessionId) {
  const found = yield* Effect.mapError(
    client.sync((database) => read(database, treeId)),
    (error) => Failure.storeFailed("look for the owner", error)
  )
  if (found.owner !== null && (yield* ProcessIdentity.isAlive(found.owner))) {
    const owner = `process ${found.owner.pid} on ${found.owner.host}`
    return yield* new SessionStore.TreeBusy({ treeId, owner })
  }
  return found
})

/** Whether the tree is still as it was found: between finding and writing another may have come. */
export const isStill = (database: Database, treeId: string, found: Owned): boolean => {
  const now = read(database, treeId)
  return now.epoch === found.epoch && (now.owner === null) === (found.owner === null)
}

export const make = (client: SqliteClient.SqliteClient, queue: WriteQueue) => {
  const held = new Map<Session.SessionId, SessionStore.Lease>()

  /** Null: somebody else was faster. */
  const take = (treeId: Session.SessionId, found: Owned, self: ProcessIdentity.ProcessIdentity) =>
    queue.write({
      operation: "take the lease",
      durability: "Relaxed", // its loss in a power cut loses the owner too
      run: (database): Result.Result<number | null> => {
        if (!isStill(database, treeId, found)) return Result.succeed(null)
        const row = database.get(
          `INSERT INTO trees VALUES (?, 1, 0, ?, ?, ?, ?)
           ON CONFLICT (tree_id) DO UPDATE SET epoch = epoch + 1, owner_pid = excluded.owner_pid,
             owner_start = excluded.owner_start, owner_boot = excluded.owner_boot, owner_host = excluded.owner_host
           RETURNING epoch`,
          [treeId, self.pid, self.start, self.boot, self.host]
        )
        return Result.succeed(Number(row?.["epoch"]))
      }
    })

  const acquire = Effect.fnUntraced(function* (
    treeId: Session.SessionId
  ): Effect.fn.Return<SessionStore.Lease, SessionStore.TreeBusy | SessionStore.StoreFailed> {
    const self = yield* ProcessIdentity.own
    while (true) {
      const epoch = yield* take(treeId, yield* unowned(client, treeId), self)
      if (epoch === null) continue
      const lease = { treeId, epoch }
      held.set(treeId, lease)
      return lease
    }
  }, Effect.uninterruptible)

  const release = (lease: SessionStore.Lease): Effect.Effect<void, SessionStore.StoreFailed> =>
    queue.write({
      operation: "give up the lease",
      durability: "Relaxed",
      run: (database): Result.Result<void> => {
        database.run(
          `UPDATE trees SET owner_pid = NULL, owner_start = NULL, owner_boot = NULL, owner_host = NULL
           WHERE tree_id = ? AND epoch = ?`,
          [lease.treeId, lease.epoch]
        )
        if (held.get(lease.treeId)?.epoch === lease.epoch) held.delete(lease.treeId)
        return Result.succeed(undefined)
      }
    })

  /** For the end of the store: who closes in order leaves nothing to be taken over. */
  const releaseAll = Effect.suspend(() =>
    Effect.forEach(Array.from(held.values()), (lease) => Effect.ignore(release(lease)), { discard: true })
  )

  return { acquire, release, releaseAll }
}

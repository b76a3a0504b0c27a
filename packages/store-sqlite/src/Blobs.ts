/**
 * Content-addressed bytes as rows, with their references by tree. A blob without references is deleted with the tree
 * that had the last one.
 */
import { Canonical } from "@bough/protocol"
import type { SessionStore } from "@bough/runtime"
import * as Result from "effect/Result"
import type { Database } from "./driver/Database.ts"
import * as Failure from "./Failure.ts"

/** The time for which a blob without references is kept, because an entry may be about to refer to it. */
const graceMillis = 3_600_000

/** Bytes with their digest. */
export interface Blob {
  readonly digest: string
  readonly bytes: Uint8Array
}

export const make = (bytes: Uint8Array): Blob => ({ digest: Canonical.digest(bytes), bytes })

/** Stores the bytes; if they are stored already, renews their time. */
export const insert = (database: Database, { bytes, digest }: Blob, nowMillis: number): void =>
  void database.run(
    "INSERT INTO blobs VALUES (?, ?, ?) ON CONFLICT (digest) DO UPDATE SET stored_at_millis = excluded.stored_at_millis",
    [digest, bytes, nowMillis]
  )

/** Returns the bytes; null: there is no such blob. */
export const read = (
  database: Database,
  digest: string
): Result.Result<Uint8Array | null, SessionStore.StoreFailed> => {
  const bytes = database.get("SELECT bytes FROM blobs WHERE digest = ?", [digest])?.["bytes"]
  if (!(bytes instanceof Uint8Array)) return Result.succeed(null)
  return Canonical.digest(bytes) === digest
    ? Result.succeed(bytes)
    : Result.fail(Failure.unreadable("read a blob", `blob ${digest} does not fit its digest`))
}

export const refer = (
  database: Database,
  treeId: string,
  { digest, nowMillis }: { readonly digest: string; readonly nowMillis: number }
): void =>
  void database.run(
    `INSERT INTO blob_references VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET referenced_at_millis = excluded.referenced_at_millis`,
    [treeId, digest, nowMillis]
  )

/**
 * Removes a tree's references, and deletes all blobs without references, including those that a crash left. A blob that
 * was stored again after the tree's reference is kept, because another tree may be about to refer to it.
 */
export const release = (database: Database, treeId: string, nowMillis: number): void => {
  database.run(
    `DELETE FROM blobs WHERE
       (digest IN (SELECT r.digest FROM blob_references r
                   WHERE r.tree_id = ?1 AND r.referenced_at_millis >= blobs.stored_at_millis)
        OR stored_at_millis < ?2)
       AND NOT EXISTS (SELECT 1 FROM blob_references r WHERE r.digest = blobs.digest AND r.tree_id <> ?1)`,
    [treeId, nowMillis - graceMillis]
  )
  database.run("DELETE FROM blob_references WHERE tree_id = ?", [treeId])
}

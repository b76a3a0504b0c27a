/**
 * Admits one process at a time, by a lock that the operating system releases when a process dies: SQLite's own, on an
 * empty file.
 */
import { Directory } from "@bough/disk"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"

const begin = (database: DatabaseSync): boolean => {
  const attempt = Effect.runSyncExit(Effect.sync(() => database.exec("BEGIN EXCLUSIVE")))
  return attempt._tag === "Success"
}

/** Takes the lock until the scope ends; false: another process has it, or the file cannot be used. */
export const acquire = (path: string, waitMillis = 0): Effect.Effect<boolean, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.orElseSucceed(
      Effect.try(() => {
        Directory.makePrivate(dirname(path))
        return new DatabaseSync(path, { timeout: waitMillis })
      }),
      () => null
    ),
    (database) => Effect.sync(() => database?.close())
  ).pipe(Effect.map((database) => database !== null && begin(database)))

/**
 * Admits one process at a time, by a lock that the operating system releases when a process ends: SQLite's own lock, on
 * an empty file.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { closeSync, existsSync, openSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Directory from "./Directory.ts"
import { attempt, type SystemError, toSystemError } from "./SystemError.ts"

const pollMillis = 20

const open = (path: string, waitMillis: number): Effect.Effect<DatabaseSync, SystemError, Scope.Scope> =>
  Effect.acquireRelease(
    attempt(() => {
      Directory.makePrivate(dirname(path))
      if (!existsSync(path)) createPrivate(path)
      return new DatabaseSync(path, { timeout: waitMillis })
    }),
    (database) => Effect.sync(() => database.close())
  )

/**
 * Creates the file so that only its owner can read it, which SQLite would not do. Never opens an existing file, because
 * closing it would release the lock of this process on it.
 */
const createPrivate = (path: string): void => {
  const opened = Result.try(() => openSync(path, "wx", 0o600))
  if (Result.isSuccess(opened)) closeSync(opened.success)
  else if (toSystemError(opened.failure).code !== "EEXIST") throw opened.failure
}

const begin = (database: DatabaseSync): boolean => {
  const attempt = Effect.runSyncExit(Effect.sync(() => database.exec("BEGIN EXCLUSIVE")))
  return attempt._tag === "Success"
}

/**
 * Acquires the lock until the scope ends; false: another process has it, or the file cannot be used. Blocks the thread
 * for at most `waitMillis`.
 */
export const acquire = (path: string, waitMillis = 0): Effect.Effect<boolean, never, Scope.Scope> =>
  Effect.orElseSucceed(Effect.map(open(path, waitMillis), begin), () => false)

/**
 * Runs the body under the lock, waiting for it without blocking the thread; null: it stayed locked for `timeoutMillis`.
 */
export const withLock = <A, E, R>(
  path: string,
  timeoutMillis: number,
  body: Effect.Effect<A, E, R>
): Effect.Effect<A | null, E | SystemError, R> =>
  Effect.gen(function* () {
    for (let waited = 0; waited <= timeoutMillis; waited += pollMillis) {
      const done = yield* Effect.scoped(
        Effect.flatMap(open(path, 0), (database) =>
          begin(database) ? Effect.map(body, (value) => ({ value })) : Effect.succeed(null)
        )
      )
      if (done !== null) return done.value
      yield* Effect.sleep(pollMillis)
    }
    return null
  })

/**
 * Syncs the write-ahead log in a thread of Node's pool while other trees continue: SQLite's own sync, inside COMMIT,
 * blocks the process. adr/0141-sync-beside-the-event-loop.md.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type { SqlError } from "effect/sql/SqlError"
import * as FileSystem from "node:fs"
import * as SqliteError from "./driver/SqliteError.ts"

/** Receives null once the data is durable, or the error after which it may not be. */
type OnSynced = (error: SqlError | null) => void

export interface LogSync {
  /**
   * Makes everything durable that was committed before the call. Requests during a sync share the next one. After a
   * failed sync every request fails: the next sync might succeed although data was lost.
   */
  readonly request: (onSynced: OnSynced) => void
}

/** SQLite's code for a failed sync, because the consequences are the same. */
const ioErrorFsync = 1034

const failure = (cause: unknown): SqlError => {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const error = new Error(`the log could not be synced: ${reason}`, { cause })
  return SqliteError.fromCause(Object.assign(error, { errcode: ioErrorFsync }), "sync")
}

/** Serves a database in memory, which has no log. */
export const none: LogSync = { request: (onSynced) => queueMicrotask(() => onSynced(null)) }

/** `path`: the log of an open database. The scope waits for a running sync. */
export const make = (path: string): Effect.Effect<LogSync, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => open(path)),
    ({ close }) => close
  )

const open = (path: string) => {
  let descriptor: number | null = null
  /** The requests that the running sync serves; null: none is running. */
  let running: ReadonlyArray<OnSynced> | null = null
  let next: Array<OnSynced> = []
  let failed: SqlError | null = null
  let onIdle: (() => void) | null = null

  /** SQLite replaces its log if it changes the mode of the journal: the descriptor of the old one would sync nothing. */
  const current = (): number => {
    if (descriptor !== null && !isAt(descriptor, path)) close()
    descriptor ??= FileSystem.openSync(path, "r+")
    return descriptor
  }
  const close = (): void => {
    if (descriptor !== null) FileSystem.closeSync(descriptor)
    descriptor = null
  }
  const start = (): void => {
    running = next
    next = []
    const descriptorResult = Result.try({ try: current, catch: (thrown) => thrown })
    if (Result.isSuccess(descriptorResult)) FileSystem.fdatasync(descriptorResult.success, end)
    // A request is never answered during its call.
    else queueMicrotask(() => end(descriptorResult.failure))
  }
  const end = (cause: unknown): void => {
    const served = running ?? []
    running = null
    if (cause !== null && cause !== undefined) failed ??= failure(cause)
    if (next.length > 0) start()
    const error = failed
    for (const onSynced of served) onSynced(error)
    if (running === null) onIdle?.()
  }

  const request: LogSync["request"] = (onSynced) => {
    next.push(onSynced)
    if (running === null) start()
  }
  const whenIdle = Effect.callback<void>((resume) => {
    if (running === null) return resume(Effect.void)
    onIdle = () => resume(Effect.void)
  })
  return { request, close: Effect.andThen(whenIdle, Effect.sync(close)) }
}

/** True if the path names the open file. Inode numbers of some file systems exceed the safe integers. */
const isAt = (descriptor: number, path: string): boolean => {
  const [opened, named] = [
    FileSystem.fstatSync(descriptor, { bigint: true }),
    FileSystem.statSync(path, { bigint: true })
  ]
  return opened.ino === named.ino && opened.dev === named.dev
}

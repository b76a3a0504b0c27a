/**
 * The file of the store: created completely or not at all, and checked before SQLite may touch it. A file is refused
 * and left unchanged if it is not Bough's, newer than this program, or torn. No start checks the whole file: damage is
 * found when it is read, or by `QuickCheck`.
 */
import { Directory, SystemError } from "@bough/disk"
import type { SessionStore } from "@bough/runtime"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { SqlError } from "effect/sql/SqlError"
import { randomUUID } from "node:crypto"
import * as FileSystem from "node:fs"
import { join } from "node:path"
import type { Database } from "./driver/Database.ts"
import * as SqliteClient from "./driver/SqliteClient.ts"
import * as Failure from "./Failure.ts"
import * as Format from "./Format.ts"
import * as Header from "./Header.ts"
import * as Refusal from "./Refusal.ts"

type Refused = SessionStore.StoreRefused

/**
 * The longest time for which one statement blocks this process while another one has the lock; longer waits happen
 * between statements.
 */
const busyTimeoutMillis = 20
const whileLocked = { while: Failure.isLocked, schedule: Schedule.spaced("50 millis"), times: 30 }

/** The size to which the write-ahead log is truncated when it restarts. */
const maxLogBytes = 8 * 1024 * 1024

const fileCall = <A>(path: string, body: () => A): Effect.Effect<A, Refused> =>
  Effect.try({
    try: body,
    catch: (cause) => Refusal.make(path, "Unwritable", `cannot be used: ${SystemError.reason(cause)}`)
  })

export const pathIn = (directory: string): string => join(directory, "bough.db")

/**
 * Makes a check that the opened file is still the one at its path: SQLite also writes to a file that was deleted or
 * replaced.
 */
export const placeOf = (directory: string): (() => boolean) => {
  const find = () => FileSystem.statSync(pathIn(directory), { bigint: true, throwIfNoEntry: false })
  const opened = find()
  return () => {
    const now = find()
    return now !== undefined && now.ino === opened?.ino && now.dev === opened.dev
  }
}

/** Opens, creates or refuses the store of a directory. */
export const open = Effect.fnUntraced(function* (
  directory: string
): Effect.fn.Return<SqliteClient.SqliteClient, Refused, Scope.Scope> {
  const path = pathIn(directory)
  yield* fileCall(directory, () => Directory.make(directory))
  if (!FileSystem.existsSync(path)) yield* create(directory, path)
  yield* inspect(directory, path)
  return yield* connect(path).pipe(
    Effect.retry(whileLocked),
    Effect.catchTag("SqlError", (error) => Effect.fail(Refusal.fromSql(path, error)))
  )
})

/**
 * Builds the file at a temporary path and links it to its own: a crash cannot leave half a store, and if two processes
 * start at once, only one of them creates the file.
 */
const create = (directory: string, path: string): Effect.Effect<void, Refused> => {
  const building = join(directory, `.${randomUUID()}.new`)
  const build = Effect.scoped(
    Effect.gen(function* () {
      // Set before the first table, since it has no effect later: freed pages can be released. Nothing is synced before
      // the file is complete, because a crash before it is linked leaves a file that is never opened.
      const pragmas = { synchronous: "OFF", auto_vacuum: "INCREMENTAL", journal_mode: "WAL" }
      const client = yield* SqliteClient.make({ filename: building, pragmas })
      yield* migrate(client)
      // Closing the file would also do this, but it ignores a full disk, and the linked file does not include its log.
      yield* client.sync((database) => database.get("PRAGMA wal_checkpoint(TRUNCATE)"))
    })
  )
  const remove = Effect.sync(() => {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) FileSystem.rmSync(building + suffix, { force: true })
  })
  return fileCall(directory, () => FileSystem.closeSync(FileSystem.openSync(building, "wx", 0o600))).pipe(
    Effect.andThen(Effect.mapError(build, (error) => Refusal.fromSql(path, error))),
    Effect.andThen(sync(building)),
    Effect.andThen(fileCall(path, () => FileSystem.linkSync(building, path))),
    Effect.catchIf(
      () => FileSystem.existsSync(path),
      () => Effect.void
    ),
    Effect.andThen(fileCall(directory, () => Directory.sync(directory))),
    Effect.ensuring(remove)
  )
}

const sync = (path: string): Effect.Effect<void, Refused> =>
  Effect.acquireUseRelease(
    fileCall(path, () => FileSystem.openSync(path, "r+")),
    (descriptor) => fileCall(path, () => FileSystem.fsyncSync(descriptor)),
    (descriptor) => Effect.sync(() => FileSystem.closeSync(descriptor))
  )

/** Reads the header without SQLite, which would leave files beside a foreign one. */
const inspect = Effect.fnUntraced(function* (directory: string, path: string) {
  const refusal = yield* fileCall(path, () => {
    const descriptor = FileSystem.openSync(path, "r")
    const header = new Uint8Array(Header.length)
    const read = FileSystem.readSync(descriptor, header, 0, Header.length, 0)
    const { mode, size } = FileSystem.fstatSync(descriptor)
    FileSystem.closeSync(descriptor)
    const log = FileSystem.statSync(`${path}-wal`, { throwIfNoEntry: false })
    const found = { path, header: header.subarray(0, read), bytes: size, logBytes: log?.size ?? 0 }
    return { refused: Header.refusal(found), mode }
  })
  if (refusal.refused !== null) return yield* refusal.refused
  yield* fileCall(directory, () => FileSystem.accessSync(directory, FileSystem.constants.W_OK))
  yield* fileCall(path, () => FileSystem.accessSync(path, FileSystem.constants.W_OK))
  if ((refusal.mode & 0o077) !== 0) yield* fileCall(path, () => FileSystem.chmodSync(path, 0o600))
})

const connect = Effect.fnUntraced(function* (
  path: string
): Effect.fn.Return<SqliteClient.SqliteClient, Refused | SqlError, Scope.Scope> {
  // The write queue runs checkpoints, because SQLite would ignore their errors.
  const pragmas = { synchronous: "FULL", wal_autocheckpoint: 0, secure_delete: "ON", journal_size_limit: maxLogBytes }
  const client = yield* SqliteClient.make({ filename: path, busyTimeoutMillis, pragmas })
  const refused = yield* client.sync((database) => recognise(path, database))
  if (refused !== null) return yield* refused
  yield* client.sync((database) => database.get("PRAGMA journal_mode = WAL"))
  yield* migrate(client)
  return client
})

/** Loads the table steps only for a file that lacks some. */
const migrate = Effect.fnUntraced(function* (client: SqliteClient.SqliteClient): Effect.fn.Return<void, SqlError> {
  if ((yield* client.sync(Format.versionOf)) === Format.version) return
  const Migration = yield* Effect.promise(() => import("./Migration.ts"))
  const nowMillis = yield* Clock.currentTimeMillis
  yield* client.sync((database) => Migration.migrate(database, nowMillis))
})

/** Checks the file again through SQLite, which also reads the write-ahead log. */
const recognise = (path: string, database: Database): Refused | null => {
  const version = Format.versionOf(database)
  if (version > Format.version) return Header.newer(path, version)
  const tables = new Set(database.all("SELECT name FROM sqlite_schema WHERE type = 'table'").map((row) => row["name"]))
  const missing = Format.namesOf(version).filter((name) => !tables.has(name))
  return missing.length === 0 ? null : Refusal.make(path, "Foreign", `lacks the tables ${missing.join(", ")}`)
}

/** The sync of the log in another thread: which requests it serves, and which file it syncs. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import FileSystem, { existsSync, readdirSync, readlinkSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { join } from "node:path"
import * as SqliteClient from "../src/driver/SqliteClient.ts"
import * as LogSync from "../src/LogSync.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

const make = Effect.gen(function* () {
  const path = join(yield* temporaryDirectory, "a.db")
  const client = yield* SqliteClient.make({ filename: path, pragmas: { journal_mode: "WAL" } })
  yield* client.sync((database) => database.exec("CREATE TABLE numbers (n INTEGER)"))
  const log = `${path}-wal`
  return { client, log, sync: yield* LogSync.make(log) }
})

const synced = (sync: LogSync.LogSync) =>
  Effect.callback<unknown>((resume) => sync.request((error) => resume(Effect.succeed(error))))

/** The files that this process has open, by the names that Linux gives them. */
const openFiles = (): ReadonlyArray<string> =>
  readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      return [readlinkSync(`/proc/self/fd/${name}`)]
    } catch {
      return []
    }
  })

/** Notes in `order` when a sync starts; the syncs are real. */
const watchingSyncs = <A>(order: Array<string>, effect: Effect.Effect<A>) => {
  const real = FileSystem.fdatasync
  const set = (fdatasync: typeof real) =>
    Effect.sync(() => {
      FileSystem.fdatasync = fdatasync
      syncBuiltinESMExports()
    })
  const watched = ((descriptor, onSynced) => {
    order.push("sync")
    real(descriptor, onSynced)
  }) as typeof real
  return Effect.acquireUseRelease(
    set(watched),
    () => effect,
    () => set(real)
  )
}

describe("LogSync", () => {
  it.live("answers no request during its call, and requests during a sync after the next one", () =>
    Effect.gen(function* () {
      const { sync } = yield* make
      const order: Array<string> = []
      const ended = synced({
        request: (onSynced) => {
          sync.request(() => order.push("first"))
          sync.request(() => order.push("second"))
          sync.request(onSynced)
          order.push("requested")
        }
      })
      assert.isNull(yield* watchingSyncs(order, ended))
      assert.deepStrictEqual(order, ["sync", "requested", "sync", "first", "second"])
    })
  )

  it.live("fails every request after a failed sync, also those that wait during it", () =>
    Effect.gen(function* () {
      const { client, log, sync } = yield* make
      const restore = "PRAGMA journal_mode = WAL; INSERT INTO numbers VALUES (1)"
      yield* client.sync((database) => database.exec("PRAGMA journal_mode = DELETE"))
      const both = yield* Effect.all([synced(sync), synced(sync)], { concurrency: "unbounded" })
      yield* client.sync((database) => database.exec(restore))
      assert.isTrue(existsSync(log))
      for (const error of [...both, yield* synced(sync)]) {
        assert.include(String(error), "the log could not be synced: ENOENT")
      }
      assert.isNull(yield* synced(yield* LogSync.make(log)))
    })
  )

  it.live.skipIf(process.platform !== "linux")("syncs the log that replaced the one that it opened", () =>
    Effect.gen(function* () {
      const { client, log, sync } = yield* make
      assert.isNull(yield* synced(sync))
      yield* client.sync((database) =>
        database.exec("PRAGMA journal_mode = DELETE; PRAGMA journal_mode = WAL; INSERT INTO numbers VALUES (1)")
      )
      assert.isNull(yield* synced(sync))
      const logs = openFiles().filter((path) => path.startsWith(log))
      assert.deepStrictEqual([...new Set(logs)], [log], "it keeps the deleted log open")
    })
  )

  it.live.skipIf(process.platform !== "linux")("closes the log with its scope, after the running sync", () =>
    Effect.gen(function* () {
      const { client, log } = yield* make
      let isSynced = false
      const one = Effect.scoped(
        Effect.map(LogSync.make(log), (sync) => sync.request((error) => (isSynced = error === null)))
      )
      yield* one
      assert.isTrue(isSynced)
      assert.strictEqual(openFiles().filter((path) => path === log).length, 1, "only SQLite has it open")
      yield* client.sync((database) => database.exec("INSERT INTO numbers VALUES (1)"))
    })
  )
})

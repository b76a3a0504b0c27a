/** Tests of the files that are opened, and that every other file is refused by name and left unchanged. */
import { SessionStore } from "@bough/runtime"
import { SampleJournal } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Format from "../src/Format.ts"
import { SessionStoreSql } from "../src/index.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

type Reason = SessionStore.StoreRefused["reason"]

const open = <A, E>(directory: string, body: Effect.Effect<A, E, SessionStore.SessionStore>) =>
  Effect.provide(body, SessionStoreSql.layer({ directory }))

/** A directory with a store in it, and one tree in that. */
const written = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  yield* open(directory, SampleJournal.openTree(40))
  return directory
})

const pathIn = (directory: string): string => join(directory, "bough.db")

const edited = (directory: string, edit: (bytes: Buffer) => void): void => {
  const bytes = readFileSync(pathIn(directory))
  edit(bytes)
  writeFileSync(pathIn(directory), bytes)
}

const sqlite = (path: string, sql: string): void => {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}

/** Ignores SQLite's log and index, which may be empty beside an unreadable file. */
const named = (directory: string): ReadonlyArray<string> =>
  readdirSync(directory).filter((name) => !/-(wal|shm)$/.test(name))

/** Opening fails for that reason, and changes nothing in the directory. */
const assertRefused = Effect.fnUntraced(function* (directory: string, reason: Reason) {
  const before = readFileSync(pathIn(directory))
  const names = named(directory)
  const error = yield* Effect.flip(open(directory, Effect.void))
  assert.strictEqual(error._tag, "StoreRefused")
  assert.strictEqual(error.reason, reason, error.message)
  assert.include(error.message, pathIn(directory))
  assert.isNotEmpty(error.hint)
  assert.isTrue(before.equals(readFileSync(pathIn(directory))), "the file was changed")
  assert.deepStrictEqual(named(directory), names)
  return error
})

describe("the file of the store", () => {
  it.effect("is private to its owner, and only it is left when the store is closed", () =>
    Effect.gen(function* () {
      const directory = join(yield* temporaryDirectory, "deep", "home")
      const modes = yield* open(
        directory,
        Effect.andThen(
          SampleJournal.openTree(0),
          Effect.sync(() =>
            readdirSync(directory).map((name) => [name, statSync(join(directory, name)).mode & 0o777] as const)
          )
        )
      )
      assert.deepStrictEqual(modes, [
        ["bough.db", 0o600],
        ["bough.db-shm", 0o600],
        ["bough.db-wal", 0o600]
      ])
      assert.strictEqual(statSync(directory).mode & 0o777, 0o700)
      assert.deepStrictEqual(readdirSync(directory), ["bough.db"])
    })
  )

  it.effect("is closed to others when it was open to them", () =>
    Effect.gen(function* () {
      const directory = yield* written
      chmodSync(pathIn(directory), 0o644)
      yield* open(directory, Effect.void)
      assert.strictEqual(statSync(pathIn(directory)).mode & 0o777, 0o600)
    })
  )

  it.effect("is refused as foreign when it is not a database, one of another program, or lacks our tables", () =>
    Effect.gen(function* () {
      const text = yield* temporaryDirectory
      writeFileSync(pathIn(text), "dear diary, ".repeat(1000))
      yield* assertRefused(text, "Foreign")
      const short = yield* temporaryDirectory
      writeFileSync(pathIn(short), "hello")
      yield* assertRefused(short, "Foreign")
      const unmarked = yield* temporaryDirectory
      sqlite(pathIn(unmarked), "CREATE TABLE users (name TEXT)")
      yield* assertRefused(unmarked, "Foreign")
      const others = yield* temporaryDirectory
      sqlite(pathIn(others), "PRAGMA journal_mode = WAL; PRAGMA application_id = 77; CREATE TABLE entries (x)")
      yield* assertRefused(others, "Foreign")
      assert.deepStrictEqual(readdirSync(others), ["bough.db"])
      const lookalike = yield* temporaryDirectory
      sqlite(pathIn(lookalike), `PRAGMA application_id = ${Format.applicationId}; CREATE TABLE entries (x)`)
      assert.match((yield* assertRefused(lookalike, "Foreign")).message, /lacks the tables approvals/)
      const directory = yield* temporaryDirectory
      mkdirSync(pathIn(directory))
      const error = yield* Effect.flip(open(directory, Effect.void))
      assert.strictEqual(error._tag, "StoreRefused")
    })
  )

  it.effect("is refused as newer when a later version wrote it, even if only its log says so", () =>
    Effect.gen(function* () {
      const inHeader = yield* written
      sqlite(pathIn(inHeader), `DROP TABLE approvals; PRAGMA user_version = ${Format.version + 1}`)
      const error = yield* assertRefused(inHeader, "Newer")
      assert.match(error.message, new RegExp(`version ${Format.version + 1}`))
      assert.match(error.hint, /newer bough/)
      const inLog = yield* written
      const other = new DatabaseSync(pathIn(inLog))
      other.exec(`DROP TABLE approvals; PRAGMA user_version = ${Format.version + 1}`)
      yield* assertRefused(inLog, "Newer")
      other.close()
    })
  )

  it.effect("is refused as torn when it is empty or cut off anywhere", () =>
    Effect.gen(function* () {
      const whole = statSync(pathIn(yield* written)).size
      for (const bytes of [0, 1, 50, 99, 100, 4095, 4096, 20_000, whole - 1]) {
        const directory = yield* written
        truncateSync(pathIn(directory), bytes)
        yield* assertRefused(directory, "Torn")
      }
    })
  )

  it.effect("is refused as torn when the page that lists its tables is overwritten", () =>
    Effect.gen(function* () {
      const directory = yield* written
      edited(directory, (bytes) => bytes.fill(0x5a, 100, 4096))
      yield* assertRefused(directory, "Torn")
    })
  )

  it.live("is refused as locked while another process has it exclusively", () =>
    Effect.gen(function* () {
      const directory = yield* written
      const other = new DatabaseSync(pathIn(directory))
      other.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; CREATE TABLE scratch (x); DROP TABLE scratch")
      const error = yield* Effect.flip(open(directory, Effect.void))
      assert.strictEqual(error.reason, "Locked")
      assert.match(error.hint, /end the process/)
      other.close()
      yield* open(directory, Effect.void)
    })
  )

  it.effect("is not looked for in a place where no directory can exist", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryDirectory, "a file")
      writeFileSync(file, "")
      const error = yield* Effect.flip(open(join(file, "home"), Effect.void))
      assert.strictEqual(error.reason, "Unwritable")
      assert.match(error.hint, /BOUGH_HOME/)
    })
  )
})

/** A transaction is synced when one of its writes must be, and the log of writes does not grow without limit. */
import type { Batch } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { statSync } from "node:fs"
import { join } from "node:path"
import type { Database } from "../src/driver/Database.ts"
import * as SqliteClient from "../src/driver/SqliteClient.ts"
import * as LogSync from "../src/LogSync.ts"
import * as WriteQueue from "../src/WriteQueue.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

interface Write {
  readonly durability: Batch.Durability
  readonly fails: boolean
  readonly treeId?: string
}

/** Passes requests on to the real sync of the log; the default does so at once. */
type Hold = (sync: LogSync.LogSync) => LogSync.LogSync

/**
 * A queue over a real file. `commits`: the numbers of each transaction, and whether SQLite synced it; `durable`: the
 * numbers that a sync of either kind has covered.
 */
const makeAt = Effect.fnUntraced(function* (isInPlace: () => boolean, hold: Hold = (sync) => sync) {
  const path = join(yield* temporaryDirectory, "a.db")
  const client = yield* SqliteClient.make({ filename: path, pragmas: { journal_mode: "WAL", wal_autocheckpoint: 0 } })
  yield* client.sync((database) => database.exec("CREATE TABLE numbers (n INTEGER, bytes BLOB)"))
  const commits: Array<{ readonly level: unknown; readonly written: ReadonlyArray<number> }> = []
  const durable = new Set<number>()
  const addDurable = (upTo: number): void => {
    for (const { written } of commits.slice(0, upTo)) for (const number of written) durable.add(number)
  }
  let pending: Array<number> = []
  const watched = (database: Database): Database => ({
    ...database,
    run: (sql, parameters) => {
      if (sql === "COMMIT")
        commits.push({ level: database.get("PRAGMA synchronous")?.["synchronous"], written: pending })
      if (sql === "COMMIT" || sql === "ROLLBACK") pending = []
      const ran = database.run(sql, parameters)
      if (sql === "COMMIT" && commits.at(-1)?.level === full) addDurable(commits.length)
      return ran
    }
  })
  const real = yield* LogSync.make(`${path}-wal`)
  const logSync = hold({
    request: (onSynced) => {
      const covered = commits.length
      real.request((error) => {
        if (error === null) addDurable(covered)
        onSynced(error)
      })
    }
  })
  const queue = WriteQueue.make({
    client: { ...client, sync: (body) => client.sync((database) => body(watched(database))) } as typeof client,
    now: Effect.succeed(0),
    onRollback: () => {},
    isInPlace,
    logSync
  })
  const write = (number: number, { durability, fails, treeId }: Write, bytes = new Uint8Array()) =>
    queue.write({
      operation: "count",
      durability,
      ...(treeId === undefined ? {} : { treeId }),
      run: (database): Result.Result<number, string> => {
        database.run("INSERT INTO numbers VALUES (?, ?)", [number, bytes])
        pending.push(number)
        return fails ? Result.fail("no") : Result.succeed(number)
      }
    })
  return { client, path, commits, durable, write }
})

const make = makeAt(() => true)

const full = 2
const normal = 1

const written = Schema.Struct({
  durability: Schema.Literals(["Full", "Relaxed"]),
  fails: Schema.Boolean,
  treeId: Schema.Literals(["tree-a", "tree-b", "tree-c"])
})

describe("WriteQueue", () => {
  it.effect.prop(
    "ends a Full write once it is synced, whatever else is written and whatever of it fails",
    [Schema.Array(Schema.Array(written).check(Schema.isMaxLength(5))).check(Schema.isMaxLength(5))],
    ([groups]) =>
      Effect.scoped(
        Effect.gen(function* () {
          const { commits, durable, write } = yield* make
          let next = 0
          const kept: Array<number> = []
          for (const group of groups) {
            const numbered = group.map((one) => ({ ...one, number: next++ }))
            const check = (one: (typeof numbered)[number]) => (result: Result.Result<number, unknown>) => {
              assert.strictEqual(Result.isFailure(result), one.fails)
              if (!one.fails && one.durability === "Full") assert.isTrue(durable.has(one.number))
            }
            yield* Effect.forEach(numbered, (one) => Effect.map(Effect.result(write(one.number, one)), check(one)), {
              concurrency: "unbounded"
            })
            kept.push(...numbered.filter(({ fails }) => !fails).map(({ number }) => number))
          }
          const stored = commits.flatMap(({ written }) => written)
          for (const number of kept) assert.include(stored, number)
        })
      ),
    { arbitrary: { runs: 25 } }
  )

  it.live("syncs Relaxed writes together with Full ones, and not alone", () =>
    Effect.gen(function* () {
      const { commits, write } = yield* make
      const one = (number: number, durability: Batch.Durability) => write(number, { durability, fails: false })
      yield* one(1, "Relaxed")
      yield* Effect.all([one(2, "Relaxed"), one(3, "Full"), one(4, "Relaxed")], { concurrency: "unbounded" })
      yield* one(5, "Relaxed")
      yield* one(6, "Full")
      assert.deepStrictEqual(commits, [
        { level: normal, written: [1] },
        { level: full, written: [2, 3, 4] },
        { level: normal, written: [5] },
        { level: full, written: [6] }
      ])
    })
  )

  it.live("syncs beside the event loop when several trees write, and only Full writes wait for it", () =>
    Effect.gen(function* () {
      const held: Array<() => void> = []
      const { commits, durable, write } = yield* makeAt(
        () => true,
        (sync) => ({ request: (onSynced) => void held.push(() => sync.request(onSynced)) })
      )
      const one = (number: number, durability: Batch.Durability, treeId: string) =>
        Effect.forkChild(write(number, { durability, fails: false, treeId }), { startImmediately: true })
      const durableWrite = yield* one(1, "Full", "tree-a")
      yield* Fiber.join(yield* one(2, "Relaxed", "tree-b"))
      assert.deepStrictEqual(commits, [{ level: normal, written: [1, 2] }])
      // Another group is written while the first one is not synced.
      const laterWrite = yield* one(3, "Full", "tree-b")
      yield* Fiber.join(yield* one(4, "Relaxed", "tree-c"))
      assert.isUndefined(durableWrite.pollUnsafe())
      assert.strictEqual(held.length, 2)
      held[0]()
      assert.strictEqual(yield* Fiber.join(durableWrite), 1)
      assert.isTrue(durable.has(1))
      assert.isUndefined(laterWrite.pollUnsafe())
      held[1]()
      assert.strictEqual(yield* Fiber.join(laterWrite), 3)
    })
  )

  it.live("fails the writes of a sync that failed, and writes nothing more", () =>
    Effect.gen(function* () {
      const broken = yield* LogSync.make(join(yield* temporaryDirectory, "missing"))
      const { commits, write } = yield* makeAt(
        () => true,
        () => broken
      )
      const both = ["tree-a", "tree-b"].map((treeId, at) =>
        Effect.flip(write(at, { durability: "Full", fails: false, treeId }))
      )
      for (const error of yield* Effect.all(both, { concurrency: "unbounded" })) {
        assert.include(String(error), "the disk failed to read or write the session store")
      }
      yield* Effect.flip(write(3, { durability: "Relaxed", fails: false }))
      assert.strictEqual(commits.length, 1)
    })
  )

  it.live("writes the rounds of several trees in one transaction each, and one tree's writes at once", () =>
    Effect.gen(function* () {
      const { commits, write } = yield* make
      const rounds = Array.from({ length: 20 }, (_, round) => round)
      const story = (treeId: string) =>
        Effect.forEach(rounds, (round) => write(round, { durability: "Relaxed", fails: false, treeId }))
      const trees = Array.from({ length: 10 }, (_, index) => `tree ${index}`)
      // Each starts in a callback of its own, like input from outside.
      const begun = (treeId: string) =>
        Effect.andThen(
          Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void))),
          story(treeId)
        )
      yield* Effect.forEach(trees, begun, { concurrency: "unbounded" })
      assert.strictEqual(commits.flatMap(({ written }) => written).length, 200)
      // The first tree writes alone: it does not know of the others.
      assert.isAtMost(commits.length, 42)
      yield* write(0, { durability: "Relaxed", fails: false, treeId: "alone" })
      let turns = 0
      setImmediate(() => (turns += 1))
      yield* story("alone")
      assert.strictEqual(turns, 0, "it waited for the event loop")
    })
  )

  it.live("writes several trees together with the trees that are ready one turn of the event loop later", () =>
    Effect.gen(function* () {
      const { commits, write } = yield* make
      const one = (number: number) => write(number, { durability: "Relaxed", fails: false, treeId: `tree ${number}` })
      yield* Effect.all([one(1), one(2)], { concurrency: "unbounded" })
      const later = Effect.callback<void>((resume) => {
        setImmediate(() => Effect.runFork(one(4)).addObserver(() => resume(Effect.void)))
      })
      yield* Effect.all([one(3), later], { concurrency: "unbounded" })
      assert.deepStrictEqual(commits.at(-1)?.written, [3, 4])
    })
  )

  it.live("syncs its first transaction, however the file was opened", () =>
    Effect.gen(function* () {
      for (const level of ["OFF", "NORMAL", "FULL"]) {
        const { client, commits, write } = yield* make
        yield* client.sync((database) => database.exec(`PRAGMA synchronous = ${level}`))
        yield* write(1, { durability: "Full", fails: false })
        assert.deepStrictEqual(commits, [{ level: full, written: [1] }])
      }
    })
  )

  it.live("writes no group with a Full write to a file that was moved, and nothing after it", () =>
    Effect.gen(function* () {
      const kinds = ["Relaxed", "Full"] as const
      for (const group of [kinds, kinds.toReversed()]) {
        let isInPlace = true
        const { commits, write } = yield* makeAt(() => isInPlace)
        yield* write(0, { durability: "Full", fails: false })
        isInPlace = false
        const writes = group.map((durability, at) => Effect.flip(write(at + 1, { durability, fails: false })))
        for (const error of yield* Effect.all(writes, { concurrency: "unbounded" }))
          assert.include(String(error), "deleted or replaced while it was open")
        isInPlace = true
        yield* Effect.flip(write(3, { durability: "Relaxed", fails: false }))
        assert.deepStrictEqual(commits.length, 1)
      }
    })
  )

  it.live("keeps the log of writes short, however much is written", () =>
    Effect.gen(function* () {
      const { path, write } = yield* make
      const bytes = new Uint8Array(64 * 1024)
      const sizes: Array<number> = []
      for (let number = 0; number < 600; number++) {
        yield* write(number, { durability: "Relaxed", fails: false }, bytes)
        sizes.push(statSync(`${path}-wal`).size)
      }
      assert.isAbove(statSync(path).size, 30_000_000)
      assert.isBelow(Math.max(...sizes), 10_000_000)
    })
  )
})

/** Disk failures: they are reported, no lost write is acknowledged, and the store works again afterwards. */
import { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { SampleJournal } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Disks from "../../../test/disks.ts"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { SessionStoreSql } from "../src/index.ts"
import * as Child from "./child.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

const strace = requires("linux", "strace")
const root = requires("linux", "root")
const treeId = Session.SessionId.make("crash")

const open = <A, E>(directory: string, body: Effect.Effect<A, E, SessionStore.SessionStore>) =>
  Effect.provide(body, SessionStoreSql.layer({ directory }))

const stored = (directory: string) =>
  open(
    directory,
    Effect.flatMap(SessionStore.SessionStore, (store) => store.entries(treeId, 0, 10_000))
  )

describe.skipIf(strace.skip)(`the disk's syncs${strace.suffix}`, () => {
  const traced = Effect.fnUntraced(function* (durability: string, inject: ReadonlyArray<string>) {
    const directory = yield* temporaryDirectory
    yield* Child.lines(yield* Child.start("appendForever", [directory, "Full", "3"]))
    const log = join(directory, "strace.log")
    const trace = ["strace", "--seccomp-bpf", "-f", "-qq", "-o", log, "-e", "trace=fdatasync,fsync", ...inject]
    const child = yield* Child.start("appendForever", [directory, durability, "23"], trace)
    const lines = yield* Child.lines(child)
    return {
      directory,
      lines,
      syncs: readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => /sync\(/.test(line)).length
    }
  })

  it.live(
    "happen for every Full commit and for no Relaxed one",
    () =>
      Effect.gen(function* () {
        const [full, relaxed, alternating] = yield* Effect.forEach(["Full", "Relaxed", "Alternating"], (durability) =>
          traced(durability, [])
        )
        for (const { lines } of [full, relaxed, alternating]) assert.strictEqual(lines.length, 20)
        assert.isAtLeast(full.syncs - relaxed.syncs, 20)
        assert.isAtLeast(alternating.syncs - relaxed.syncs, 10)
        assert.isAtMost(alternating.syncs - relaxed.syncs, 12)
      }),
    thoroughOnly
  )

  it.live("when one fails, nothing more is written until the store is opened again", () =>
    Effect.gen(function* () {
      const { directory, lines } = yield* traced("Full", ["-e", "inject=fdatasync,fsync:error=EIO:when=6"])
      const acknowledged = lines.filter((line) => line.startsWith("acknowledged")).length
      assert.isAbove(acknowledged, 0)
      assert.isBelow(acknowledged, 20)
      assert.match(lines.at(-2) ?? "", /^failed StoreFailed the disk failed/)
      assert.match(lines.at(-1) ?? "", /^failed again StoreFailed the disk failed/)
      assert.isAtLeast((yield* stored(directory)).length, 3 + acknowledged)
      assert.deepStrictEqual(
        (yield* Child.lines(yield* Child.start("appendForever", [directory, "Full", "23"]))).at(-1),
        "acknowledged 22"
      )
    })
  )
})

describe.skipIf(root.skip)(`a small disk${root.suffix}`, () => {
  it.live("that is full refuses the commit with a hint, keeps its data, and accepts it when space is freed", (test) =>
    Effect.gen(function* () {
      const directory = yield* Disks.small("size=1m")
      if (directory === null) return test.skip("needs the right to mount")
      const filler = join(directory, "filler")
      writeFileSync(filler, Buffer.alloc(300_000))
      yield* open(
        directory,
        Effect.gen(function* () {
          const store = yield* SessionStore.SessionStore
          const lease = yield* SampleJournal.openTree(0)
          const append = (seq: number) =>
            store.commit(
              SampleJournal.batch(lease, [
                SampleJournal.append(lease.treeId, seq, SampleJournal.message(`${seq} ${"x".repeat(9000)}`))
              ])
            )
          let seq = 1
          let failure: unknown = null
          while (failure === null && seq < 1000) {
            const result = yield* Effect.result(append(seq))
            if (result._tag === "Failure") failure = result.failure
            else seq++
          }
          assert.instanceOf(failure, SessionStore.StoreFailed)
          assert.match(failure.message, /disk is full/)
          assert.match(failure.hint, /free some space/)
          assert.strictEqual((yield* store.entries(lease.treeId, 0, 10_000)).length, seq)
          rmSync(filler)
          yield* append(seq)
          assert.strictEqual((yield* store.entries(lease.treeId, 0, 10_000)).length, seq + 1)
        })
      )
    })
  )

  it.live("without room or names for a new store is refused, and no incomplete file is left", (test) =>
    Effect.gen(function* () {
      // The log of a new store takes two thirds of 400 kB, and the file needs as much again.
      for (const options of ["size=16k", "size=400k", "size=1m,nr_inodes=2"]) {
        const directory = yield* Disks.small(options)
        if (directory === null) return test.skip("needs the right to mount")
        const error = yield* Effect.flip(open(directory, Effect.void))
        assert.strictEqual(error.reason, "Unwritable")
        assert.match(error.hint, /free some space/)
        assert.deepStrictEqual(readdirSync(directory), [])
      }
    })
  )

  it.live("that is read-only is refused by its path, empty or not", (test) =>
    Effect.gen(function* () {
      const directory = yield* Disks.small("size=1m")
      if (directory === null) return test.skip("needs the right to mount")
      const inside = join(directory, "home")
      yield* open(inside, Effect.void)
      Disks.remount(directory, "ro")
      for (const path of [inside, join(directory, "other")]) {
        const error = yield* Effect.flip(open(path, Effect.void))
        assert.strictEqual(error.reason, "Unwritable")
        assert.include(error.message, path)
        assert.match(error.hint, /BOUGH_HOME/)
      }
    })
  )
})

/** SIGKILL at any moment: acknowledged entries are there, in order, and nothing after a gap. */
import { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { SessionStoreSql } from "../src/index.ts"
import * as Child from "./child.ts"
import { crashText } from "./crashText.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

const treeId = Session.SessionId.make("crash")
const strace = requires("linux", "strace")

/** Opens the store as the next process would, takes the tree over, and reads all of it. */
const survivors = (directory: string) =>
  Effect.provide(
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      yield* store.acquire(treeId)
      return yield* store.entries(treeId, 0, 100_000)
    }),
    SessionStoreSql.layer({ directory })
  )

const assertPrefix = Effect.fnUntraced(function* (directory: string, acknowledged: number) {
  const entries = yield* survivors(directory)
  assert.isAtLeast(entries.length, acknowledged + 1, "an acknowledged entry is lost")
  entries.forEach((entry, seq) => {
    assert.strictEqual(entry.seq, seq)
    if (seq > 0) assert.strictEqual(entry.body._tag === "UserMessage" && entry.body.text, crashText(seq))
  })
  return entries.length
})

const acknowledgedIn = (line: string | null): number => (line === null ? -1 : Number(line.split(" ")[1]))

/** The length of a log that SQLite has restarted: a checkpoint comes after a thousand pages. */
const checkpointBytes = 1000 * 4096

describe("a crash", () => {
  it.live(
    "after any acknowledged commit loses nothing of it, and the next process continues at once",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        let length = 0
        for (const durability of ["Full", "Relaxed", "Full", "Relaxed", "Full"]) {
          const child = yield* Child.start("appendForever", [directory, durability, "100000"])
          const commits = 1 + Math.floor(Math.random() * 40)
          let acknowledged = -1
          for (let count = 0; count < commits; count++) acknowledged = acknowledgedIn(yield* child.line)
          assert.isAtLeast(acknowledged, length, child.complaints())
          yield* child.kill
          length = yield* assertPrefix(directory, acknowledged)
        }
      }),
    thoroughOnly
  )

  it.live.skipIf(strace.skip)(
    `at any write to the file leaves a prefix with all acknowledged entries${strace.suffix}`,
    () =>
      Effect.gen(function* () {
        const offset = Math.floor(Math.random() * 5)
        for (const nth of [1, 3, 7, 14, 25, 50]) {
          const directory = yield* temporaryDirectory
          const inject = `inject=pwrite64:signal=SIGKILL:when=${nth + offset}`
          const wrapper = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=pwrite64", "-e", inject]
          const child = yield* Child.start("appendForever", [directory, "Full", "60"], wrapper)
          const lines = yield* Child.lines(child)
          yield* child.kill
          const acknowledged = acknowledgedIn(lines.at(-1) ?? null)
          assert.isBelow(acknowledged, 59, "it was not killed")
          yield* assertPrefix(directory, acknowledged)
        }
      })
  )

  it.live(
    "that tore or garbled the end of the log leaves a prefix, at any position",
    () =>
      Effect.gen(function* () {
        const killed = Effect.gen(function* () {
          const directory = yield* temporaryDirectory
          const child = yield* Child.start("appendForever", [directory, "Full", "100000"])
          let acknowledged = -1
          while (acknowledged < 25) acknowledged = acknowledgedIn(yield* child.line)
          yield* child.kill
          return { directory, log: readFileSync(join(directory, "bough.db-wal")) }
        })
        // On a busy machine it was killed late: a restarted log has little at its beginning, and old pages behind.
        let { directory, log } = yield* killed
        while (log.length >= checkpointBytes) ({ directory, log } = yield* killed)
        const lengths = new Set<number>()
        for (const share of [0, 0.1, 0.35, 0.6, 0.8, 0.95, 0.999]) {
          for (const damage of ["torn", "garbled"]) {
            const at = Math.floor(log.length * share)
            const copy = yield* temporaryDirectory
            copyFileSync(join(directory, "bough.db"), join(copy, "bough.db"))
            const tail = damage === "torn" ? Buffer.alloc(0) : Buffer.alloc(log.length - at, 0x5a)
            writeFileSync(join(copy, "bough.db-wal"), Buffer.concat([log.subarray(0, at), tail]))
            lengths.add(yield* assertPrefix(copy, -1))
          }
        }
        assert.isAbove(lengths.size, 3, "the damage was not felt")
      }),
    thoroughOnly
  )
})

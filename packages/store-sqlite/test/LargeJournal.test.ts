/** A session of 10,000 entries is read without holding it in memory. */
import { SessionStore } from "@bough/runtime"
import { SampleJournal } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { getHeapStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { thoroughOnly } from "../../../test/thorough.ts"
import { SessionStoreSql } from "../src/index.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

const mebibyte = 1024 * 1024

/** Memory in use after a garbage collection. */
const liveBytes = (): number => {
  setFlagsFromString("--expose-gc")
  ;(runInNewContext("gc") as () => void)()
  const { external_memory: external, used_heap_size: heap } = getHeapStatistics()
  return heap + external
}

/** The measured size of that many bytes in memory, which must be about as many. */
const shownOf = (bytes: number): number => {
  const before = liveBytes()
  const held = Buffer.alloc(bytes)
  const shown = liveBytes() - before
  return held.length === bytes ? shown : 0
}

describe("a session of 10,000 entries of 10 kB", () => {
  it.live(
    "is paged through in less memory than its length",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* Effect.provide(
          Effect.gen(function* () {
            const store = yield* SessionStore.SessionStore
            const lease = yield* SampleJournal.openTree(0)
            for (let seq = 1; seq <= 10_000; seq += 100) {
              const entries = Array.from({ length: 100 }, (_, index) =>
                SampleJournal.append(
                  lease.treeId,
                  seq + index,
                  SampleJournal.message(`${seq + index} ${"x".repeat(10_000)}`)
                )
              )
              yield* store.commit(SampleJournal.batch(lease, entries, { durability: "Relaxed" }))
            }
            const before = liveBytes()
            let most = 0
            let next = 0
            let page = yield* store.entries(lease.treeId, next, 200)
            while (page.length > 0) {
              assert.strictEqual(page[0].seq, next)
              next += page.length
              if (next % 2000 === 0) most = Math.max(most, liveBytes() - before)
              page = yield* store.entries(lease.treeId, next, 200)
            }
            assert.strictEqual(next, 10_001)
            assert.isBelow(most / mebibyte, 64)
            assert.isAbove(shownOf(96 * mebibyte) / mebibyte, 64, "what is held is not measured")
          }),
          SessionStoreSql.layer({ directory })
        )
      }),
    thoroughOnly
  )
})

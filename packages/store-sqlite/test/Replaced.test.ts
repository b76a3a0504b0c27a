/** A store whose file is removed or replaced while a process uses it. */
import { SessionStore } from "@bough/runtime"
import { SampleJournal } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { copyFileSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { QuickCheck, SessionStoreSql } from "../src/index.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

const linux = requires("linux")

const ways: ReadonlyArray<readonly [string, (path: string) => void]> = [
  ["deleted", (path) => rmSync(path)],
  ["moved away", (path) => renameSync(path, `${path}.old`)],
  [
    "replaced by a copy",
    (path) => {
      copyFileSync(path, `${path}.copy`)
      renameSync(`${path}.copy`, path)
    }
  ]
]

describe("a store that is", () => {
  for (const [name, take] of ways) {
    it.live(`${name} while it is open accepts no more writes, and says why`, () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* Effect.provide(
          Effect.gen(function* () {
            const store = yield* SessionStore.SessionStore
            const lease = yield* SampleJournal.openTree(0)
            const append = store.commit(
              SampleJournal.batch(lease, [SampleJournal.append(lease.treeId, 1, SampleJournal.message("lost"))])
            )
            take(join(directory, "bough.db"))
            for (let time = 0; time < 2; time++) {
              const error = yield* Effect.flip(append)
              assert.strictEqual(error._tag, "StoreFailed")
              assert.include(error.message, "deleted or replaced while it was open")
            }
            const submission = {
              treeId: lease.treeId,
              dedupeKey: "k",
              command: { _tag: "SteerSession", sessionId: lease.treeId, text: "lost" },
              principal: "user"
            } as const
            assert.strictEqual((yield* Effect.flip(store.submit(submission)))._tag, "StoreFailed")
          }),
          SessionStoreSql.layer({ directory })
        )
      })
    )

    it.live.skipIf(linux.skip)(`${name} while it is open is reported by a check${linux.suffix}`, () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* Effect.provide(
          Effect.gen(function* () {
            yield* SampleJournal.openTree(0)
            const whole = yield* QuickCheck.check({ directory, full: true })
            assert.deepStrictEqual(whole, { problems: [], skipped: null })
            const path = join(directory, "bough.db")
            copyFileSync(path, join(directory, "backup"))
            take(path)
            copyFileSync(join(directory, "backup"), path)
            for (const log of ["-wal", "-shm"]) rmSync(path + log, { force: true })
            const { problems } = yield* QuickCheck.check({ directory, full: false })
            assert.deepStrictEqual(problems.filter((problem) => problem.includes(`process ${process.pid} `)).length, 1)
          }),
          SessionStoreSql.layer({ directory })
        )
      })
    )
  }
})

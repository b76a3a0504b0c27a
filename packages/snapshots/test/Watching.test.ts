/** The kernel's reports are enough: a snapshot from reports alone equals one from a full scan. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import { WorkspaceSnapshots } from "../src/index.ts"
import * as Watches from "../src/internal/Watches.ts"
import { edit, random } from "./RandomEdits.ts"
import { workspace } from "./Scratch.ts"

const rounds = 4

/**
 * Waits until a change of this name in the directory was reported to all its watchers, in the order in which they
 * started.
 */
const reported = (directory: string, name: string, change: () => void) =>
  Effect.callback<void>((resume) => {
    const watcher = fs.watch(directory, (_, changed) => {
      if (changed !== name) return
      watcher.close()
      resume(Effect.void)
    })
    change()
  })

describe("Watches", () => {
  it.live("end with a directory that changes faster than it is read", () =>
    Effect.gen(function* () {
      const base = yield* Effect.acquireRelease(
        Effect.sync(() => fs.mkdtempSync(path.join(tmpdir(), "bough-watches-"))),
        (base) => Effect.sync(() => fs.rmSync(base, { recursive: true, force: true }))
      )
      const watches = Watches.make(path.join(base, "marks"))
      const busy = path.join(base, "busy")
      fs.mkdirSync(busy)
      const names: Array<string | null> = []
      const watch = watches.add(busy, (name) => {
        names.push(name)
        if (name === null) watch?.close()
      })
      // Beyond the kernel's queue: some are reported while others are still made.
      for (let batch = 0; batch < 4; batch++) {
        for (let change = 0; change < 5_000; change++) fs.writeFileSync(path.join(busy, `${change % 7}`), "")
        yield* Effect.promise(() => new Promise((resume) => setImmediate(resume)))
      }
      assert.isFalse(yield* watches.settle)
      assert.strictEqual(names.indexOf(null), names.length - 1)
      assert.isAbove(names.length, 1_000)
      watches.reset()
      assert.isTrue(yield* watches.settle)
      watches.close()
    })
  )
})

describe("A watched workspace", () => {
  it.live(
    "has the same snapshots as one that is scanned",
    () =>
      Effect.gen(function* () {
        for (let seed = 1; seed <= rounds; seed++) {
          yield* Effect.scoped(
            Effect.gen(function* () {
              const chance = random(seed)
              const { base, root, snapshots } = yield* workspace()
              const looking = yield* WorkspaceSnapshots.make({
                root,
                directory: path.join(base, "other", "snapshots"),
                isWatching: false
              })
              for (let step = 0; step < 40; step++) {
                for (let count = chance.below(6); count >= 0; count--) edit(root, chance)
                assert.strictEqual(yield* snapshots.after, yield* looking.after, `seed ${seed}, step ${step}`)
              }
            })
          )
        }
      }),
    thoroughOnly
  )

  it.effect("scans every file after a while, for changes that are not reported", () =>
    Effect.gen(function* () {
      const { at, base, snapshots } = yield* workspace({ "a.txt": "old" })
      const outside = path.join(base, "second")
      yield* snapshots.before
      // A second name outside of the workspace: writes through it are not reported.
      fs.linkSync(at("a.txt"), outside)
      const before = yield* snapshots.after
      fs.writeFileSync(outside, "new")
      assert.strictEqual(yield* snapshots.after, before)
      yield* TestClock.adjust("1 minute")
      yield* snapshots.after
      assert.notStrictEqual(yield* snapshots.before, before)
    })
  )

  it.live.each([".git", ".bough"])("does not scan every file because a directory %s was created and removed", (name) =>
    Effect.gen(function* () {
      const { at, base, root, snapshots } = yield* workspace({ "a.txt": "old" })
      const outside = path.join(base, "second")
      yield* snapshots.before
      fs.linkSync(at("a.txt"), outside)
      const before = yield* snapshots.after
      // Only a full scan finds it.
      fs.writeFileSync(outside, "new")
      for (let round = 0; round < 3; round++) {
        yield* reported(root, name, () => fs.mkdirSync(at(name)))
        yield* reported(root, name, () => fs.rmdirSync(at(name)))
        assert.strictEqual(yield* snapshots.after, before)
      }
    })
  )

  it.live("finds writes through a second name that is one of version control", () =>
    Effect.gen(function* () {
      const { at, root, snapshots } = yield* workspace({ "a.txt": "old" })
      const before = yield* snapshots.before
      yield* reported(root, ".git", () => fs.mkdirSync(at(".git")))
      fs.rmdirSync(at(".git"))
      fs.linkSync(at("a.txt"), at(".git"))
      fs.writeFileSync(at(".git"), "new")
      fs.rmSync(at(".git"))
      assert.notStrictEqual(yield* snapshots.after, before)
    })
  )
})

/** What the kernel reports is enough: a snapshot from reports alone is the one that a look at every file makes. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as fs from "node:fs"
import * as path from "node:path"
import { WorkspaceSnapshots } from "../src/index.ts"
import { edit, random } from "./RandomEdits.ts"
import { workspace } from "./Scratch.ts"

const rounds = 4

describe("A watched workspace", () => {
  it.live(
    "has the same snapshots as one that is looked through",
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
    { timeout: 120_000 }
  )

  it.effect("looks at every file after a while, for what is not reported", () =>
    Effect.gen(function* () {
      const { at, base, snapshots } = yield* workspace({ "a.txt": "old" })
      const outside = path.join(base, "second")
      yield* snapshots.before
      // A second name outside of the workspace: what is written by it is not reported.
      fs.linkSync(at("a.txt"), outside)
      const before = yield* snapshots.after
      fs.writeFileSync(outside, "new")
      assert.strictEqual(yield* snapshots.after, before)
      yield* TestClock.adjust("1 minute")
      yield* snapshots.after
      assert.notStrictEqual(yield* snapshots.before, before)
    })
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { SnapshotGroup } from "../src/index.ts"
import { directories, fingerprint, put, session } from "./Scratch.ts"

const group = Effect.gen(function* () {
  const places = yield* directories
  const added = path.join(places.base, "added")
  put(added, { "b.txt": "old" })
  put(places.root, { "a.txt": "old" })
  const options = { root: places.root, directory: places.store }
  const snapshots = yield* SnapshotGroup.make({ ...options, additionalRoots: [added] })
  return { ...places, added, options, snapshots }
})

describe("Several directories as one workspace", () => {
  it.live("are undone and redone together, each file by its own name", () =>
    Effect.gen(function* () {
      const { added, root, snapshots } = yield* group
      const { call, redo, undo } = session(snapshots)
      const original = [fingerprint(root), fingerprint(added)]
      yield* call(1, () => put(added, { "c.txt": "c" }))
      yield* call(2, () => {
        put(root, { "a.txt": "new" })
        fs.rmSync(path.join(added, "b.txt"))
      })
      const changed = [fingerprint(root), fingerprint(added)]
      const { removed, written } = yield* undo()
      assert.deepStrictEqual([written, removed], [["a.txt", path.join(added, "b.txt")], []])
      // The next undo only changes the added directory, and redo reverts the newest undo first.
      assert.deepStrictEqual((yield* undo()).removed, [path.join(added, "c.txt")])
      assert.deepStrictEqual([fingerprint(root), fingerprint(added)], original)
      yield* redo()
      yield* redo()
      assert.deepStrictEqual([fingerprint(root), fingerprint(added)], changed)
      assert.strictEqual((yield* Effect.flip(redo()))._tag, "NothingToRestore")
    })
  )

  it.live("are all left unchanged if others changed a file in one", () =>
    Effect.gen(function* () {
      const { added, root, snapshots } = yield* group
      const { call, undo } = session(snapshots)
      yield* call(1, () => {
        put(root, { "a.txt": "new" })
        put(added, { "b.txt": "new" })
      })
      put(added, { "b.txt": "mine" })
      const before = [fingerprint(root), fingerprint(added)]
      assert.strictEqual((yield* Effect.flip(undo()))._tag, "FilesChanged")
      assert.deepStrictEqual([fingerprint(root), fingerprint(added)], before)
    })
  )

  it.live("are found again by the states that name them, and know states from before one was added", () =>
    Effect.gen(function* () {
      const { added, options, root, snapshots, store } = yield* group
      const alone = yield* SnapshotGroup.make({ ...options, additionalRoots: [] })
      const { call, calls } = session(alone)
      yield* call(1, () => put(root, { "a.txt": "one" }))
      const before = yield* snapshots.before
      put(added, { "b.txt": "two" })
      const all = [...calls, { turn: 2, commit: 2, before, after: yield* snapshots.after }]
      assert.deepStrictEqual(
        SnapshotGroup.rootsIn(
          store,
          all.map((one) => one.before)
        ),
        [added]
      )
      const isRestorable = yield* snapshots.restorable
      assert.isTrue(isRestorable(path.join(added, "b.txt")) && isRestorable(path.join(root, "a.txt")))
      assert.isFalse(isRestorable(path.join(options.directory, "x")))
      yield* snapshots.undo({ session: "s", calls: all, turn: 1, isForced: false })
      assert.strictEqual(fs.readFileSync(path.join(added, "b.txt"), "utf8"), "old")
      assert.strictEqual(fs.readFileSync(path.join(root, "a.txt"), "utf8"), "old")
    })
  )
})

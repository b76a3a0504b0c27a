/** Changes that a user makes while an undo or a redo restores files: none of them is lost. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { put, session, workspace } from "./Scratch.ts"

const text = (file: string): string => fs.readFileSync(file, "utf8")

/** Runs `change` once, after the first restored file is written and before it takes its place. */
const meanwhile = (change: () => void) => {
  const { fsync } = fs
  const restore = Effect.sync(() => {
    Object.assign(fs, { fsync })
    syncBuiltinESMExports()
  })
  return Effect.acquireRelease(
    Effect.sync(() => {
      let isDone = false
      Object.assign(fs, {
        fsync: (fd: number, done: fs.NoParamCallback) => {
          if (!isDone) {
            isDone = true
            change()
          }
          fsync(fd, done)
        }
      })
      syncBuiltinESMExports()
    }),
    () => restore
  )
}

describe("A change of a user while files are restored", () => {
  it.live("to a file that is restored stays, is reported, and conflicts with the next attempt", () =>
    Effect.gen(function* () {
      const { at, root, snapshots } = yield* workspace({ "a.txt": "old", "b.txt": "old" })
      const { call, redo, undo } = session(snapshots)
      yield* call(1, () => put(root, { "a.txt": "agent", "b.txt": "agent" }))
      const failed = yield* Effect.scoped(
        Effect.andThen(
          meanwhile(() => put(root, { "a.txt": "mine" })),
          Effect.flip(undo())
        )
      )
      assert.strictEqual(failed._tag, "RestoreIncomplete")
      assert.deepStrictEqual([text(at("a.txt")), text(at("b.txt"))], ["mine", "old"])
      const refused = yield* Effect.flip(undo())
      assert.deepStrictEqual([refused._tag, "paths" in refused ? refused.paths : []], ["FilesChanged", ["a.txt"]])
      yield* undo(null, true)
      assert.deepStrictEqual([text(at("a.txt")), text(at("b.txt"))], ["old", "old"])
      yield* redo()
      assert.deepStrictEqual([text(at("a.txt")), text(at("b.txt"))], ["mine", "agent"])
    })
  )

  it.live("to a file that a step removes or creates stays", () =>
    Effect.gen(function* () {
      const { at, root, snapshots } = yield* workspace({ "a.txt": "old", "gone.txt": "gone" })
      const { call, undo } = session(snapshots)
      yield* call(1, () => {
        put(root, { "a.txt": "agent", "made.txt": "agent" })
        fs.rmSync(at("gone.txt"))
      })
      const failed = yield* Effect.scoped(
        Effect.andThen(
          meanwhile(() => put(root, { "gone.txt": "mine" })),
          Effect.flip(undo())
        )
      )
      assert.strictEqual(failed._tag, "RestoreIncomplete")
      assert.deepStrictEqual([text(at("a.txt")), text(at("gone.txt"))], ["old", "mine"])
    })
  )

  it.live("elsewhere is not part of the undo, and redo leaves it", () =>
    Effect.gen(function* () {
      const { at, root, snapshots } = yield* workspace({ "a.txt": "old", "b.txt": "old" })
      const { call, redo, undo } = session(snapshots)
      yield* call(1, () => put(root, { "a.txt": "agent" }))
      yield* Effect.scoped(
        Effect.andThen(
          meanwhile(() => put(root, { "b.txt": "mine", "mine.txt": "mine" })),
          undo()
        )
      )
      const { removed, written } = yield* redo()
      assert.deepStrictEqual([written, removed], [["a.txt"], []])
      assert.deepStrictEqual(
        ["a.txt", "b.txt", "mine.txt"].map((name) => text(at(name))),
        ["agent", "mine", "mine"]
      )
    })
  )
})

describe("A forced undo", () => {
  it.live("restores a file whose directory a user removed", () =>
    Effect.gen(function* () {
      const { at, root, snapshots } = yield* workspace({ "dir/inner/a.txt": "old" })
      fs.chmodSync(at("dir"), 0o750)
      const { call, redo, undo } = session(snapshots)
      yield* call(1, () => put(root, { "dir/inner/a.txt": "agent" }))
      fs.rmSync(at("dir"), { recursive: true })
      assert.strictEqual((yield* Effect.flip(undo()))._tag, "FilesChanged")
      yield* undo(null, true)
      assert.deepStrictEqual([text(at("dir/inner/a.txt")), fs.statSync(at("dir")).mode & 0o777], ["old", 0o750])
      yield* redo()
      assert.deepStrictEqual(fs.readdirSync(root), [])
    })
  )
})

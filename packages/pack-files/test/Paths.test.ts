import { Canonical } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { CopyPath, CreateDirectory, DeletePath, MovePath } from "../src/index.ts"
import { command, open, put, words } from "./Harness.ts"

const hasGit = spawnSync("git", ["--version"]).status === 0

const commitAll = (root: string): void => {
  command("git", ["init", "-q"], root)
  command("git", ["add", "-A"], root)
  command("git", ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qm", "all"], root)
}

describe("create_directory", () => {
  it.live("creates a directory once, and says whether it did", () =>
    Effect.gen(function* () {
      const { at, call } = yield* open()
      const first = yield* call(CreateDirectory, { path: "a/b" })
      assert.deepStrictEqual(first.output, { path: "a/b", created: true })
      assert.deepStrictEqual((yield* call(CreateDirectory, { path: "a/b" })).output.created, false)
      assert.isTrue(fs.statSync(at("a/b")).isDirectory())
    })
  )
})

describe("move_path", () => {
  it.live("moves, reports both names, and recognises its own effect", () =>
    Effect.gen(function* () {
      const { call, preview, findExisting, text } = yield* open({ "a.txt": "1", "dir/x": "2" })
      const input = { from: "a.txt", to: "new/b.txt" }
      assert.isNull(yield* findExisting(MovePath, input))
      const shown = yield* preview(MovePath, input)
      assert.deepStrictEqual(shown.preconditions, [
        { _tag: "FileDigest", path: "a.txt", digest: Canonical.digest("1") },
        { _tag: "FileDigest", path: "new/b.txt", digest: null }
      ])
      const result = yield* call(MovePath, input)
      assert.deepStrictEqual(result.artifacts, [{ _tag: "FileMoved", from: "a.txt", to: "new/b.txt" }])
      assert.strictEqual(text("new/b.txt"), "1")
      assert.deepStrictEqual((yield* findExisting(MovePath, input))?.output, result.output)
      yield* call(MovePath, { from: "dir", to: "new/dir" })
      assert.strictEqual(text("new/dir/x"), "2")
    })
  )

  it.live("lapses with a directory that changed since it was shown", () =>
    Effect.gen(function* () {
      const { preview, root } = yield* open({ "dir/x": "1" })
      const before = yield* preview(MovePath, { from: "dir", to: "new" })
      put(root, { "dir/y": "1" })
      const after = yield* preview(MovePath, { from: "dir", to: "new" })
      assert.notDeepEqual(before.preconditions, after.preconditions)
    })
  )

  it.live("replaces nothing", () =>
    Effect.gen(function* () {
      const { call, text } = yield* open({ a: "1", b: "2" })
      assert.match(
        words(yield* Effect.flip(call(MovePath, { from: "a", to: "b" }))),
        /there is something at "b" already/
      )
      assert.deepStrictEqual([text("a"), text("b")], ["1", "2"])
    })
  )
})

describe("copy_path", () => {
  it.live("copies a file and reports its size, and a directory and its number of files", () =>
    Effect.gen(function* () {
      const { call, findExisting, text } = yield* open({ "src/a": "1", "src/b/c": "2" })
      const file = { from: "src/a", to: "a" }
      assert.isNull(yield* findExisting(CopyPath, file))
      const copied = yield* call(CopyPath, file)
      assert.deepStrictEqual(copied.artifacts, [
        { _tag: "FileWritten", path: "a", bytes: 1, digest: Canonical.digest("1") }
      ])
      assert.deepStrictEqual((yield* findExisting(CopyPath, file))?.output, copied.output)
      const tree = yield* call(CopyPath, { from: "src", to: "out/src" })
      assert.deepStrictEqual(tree.output, { from: "src", to: "out/src", files: 2 })
      assert.strictEqual(text("out/src/b/c"), "2")
      assert.isNull(yield* findExisting(CopyPath, { from: "src", to: "out/src" }))
    })
  )
})

describe.skipIf(!hasGit)("delete_path [needs git]", () => {
  it.live("deletes a file that is unchanged since the last commit without an approval", () =>
    Effect.gen(function* () {
      const { at, call, raised, root, findExisting } = yield* open({ "a.txt": "1", "dir/b.txt": "2", "dir/c.txt": "3" })
      commitAll(root)
      assert.isNull(yield* raised(DeletePath, { path: "a.txt" }))
      assert.isNull(yield* raised(DeletePath, { path: "dir" }))
      assert.isNull(yield* findExisting(DeletePath, { path: "dir" }))
      const result = yield* call(DeletePath, { path: "dir" })
      assert.deepStrictEqual(result, {
        output: { path: "dir", files: 2 },
        display: "Deleted dir (2 files)",
        artifacts: [{ _tag: "FileDeleted", path: "dir" }]
      })
      assert.isFalse(fs.existsSync(at("dir")))
      assert.isNotNull(yield* findExisting(DeletePath, { path: "dir" }))
    })
  )

  it.live("is raised if content would be lost, which reason and preview name", () =>
    Effect.gen(function* () {
      const { preview, raised, root } = yield* open({ "dir/kept.txt": "1", "dir/changed.txt": "1" })
      commitAll(root)
      put(root, { "dir/changed.txt": "2", "dir/new.txt": "1" })
      assert.strictEqual(yield* raised(DeletePath, { path: "dir" }), "cannot be restored: dir/changed.txt, dir/new.txt")
      assert.isNull(yield* raised(DeletePath, { path: "dir/kept.txt" }))
      const { preconditions, render } = yield* preview(DeletePath, { path: "dir" })
      assert.strictEqual(render, "delete the directory dir\ncannot be restored:\n  dir/changed.txt\n  dir/new.txt\n")
      put(root, { "dir/later.txt": "1" })
      assert.notDeepEqual((yield* preview(DeletePath, { path: "dir" })).preconditions, preconditions)
      put(root, Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`many/${index}`, "1"])))
      assert.match((yield* raised(DeletePath, { path: "many" })) ?? "", /many\/4, and more$/)
    })
  )

  it.live("removes a link that leads out of the workspace, not its target", () =>
    Effect.gen(function* () {
      const { at, call, outside } = yield* open()
      fs.symlinkSync(outside, at("out"))
      yield* call(DeletePath, { path: "out" })
      assert.deepStrictEqual(fs.readdirSync(outside), ["secret"])
      assert.isFalse(fs.existsSync(at("out")))
    })
  )

  it.live("names a missing path", () =>
    Effect.gen(function* () {
      const { call } = yield* open()
      assert.match(
        words(yield* Effect.flip(call(DeletePath, { path: "none" }))),
        /there is no file or directory "none"/
      )
    })
  )
})

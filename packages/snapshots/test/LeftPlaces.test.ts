/** Places that an undo leaves, or cannot restore: none of their content is lost, and a redo returns. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import { fingerprint, put, session, workspace } from "./Scratch.ts"

const text = (file: string): string => fs.readFileSync(file, "utf8")
const numbered = (count: number, content: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`out/${index}`, content]))

describe("A directory that has left the snapshots", () => {
  const limits = { maxIgnoredEntries: 10 }

  it.live("stays unless an undo is forced, since its present content is in no snapshot", () =>
    Effect.gen(function* () {
      const files = { ".gitignore": "out/\n", ...numbered(8, "old"), "a.txt": "old" }
      const { at, root, snapshots } = yield* workspace(files, { limits })
      const { call, redo, undo } = session(snapshots)
      yield* call(1, () => put(root, { ...numbered(20, "new"), "a.txt": "new" }))
      const { lost } = yield* undo()
      assert.deepStrictEqual(lost, [{ path: "out", reason: "ignored by git" }])
      assert.deepStrictEqual([text(at("a.txt")), text(at("out/1")), text(at("out/15"))], ["old", "new", "new"])
      yield* redo()
      yield* undo(null, true)
      assert.deepStrictEqual([text(at("a.txt")), text(at("out/1")), text(at("out/15"))], ["old", "old", "new"])
    })
  )

  it.live("by a user's own rule is left and named, with what a call made in it", () =>
    Effect.gen(function* () {
      const { at, root, snapshots } = yield* workspace({ ...numbered(8, "old"), "a.txt": "old" }, { limits })
      const { call, undo } = session(snapshots)
      yield* call(1, () => put(root, { "out/1": "agent", "out/made": "agent", "a.txt": "agent" }))
      put(root, { ".gitignore": "out/\n", "out/2": "mine", ...numbered(20, "mine") })
      const { lost, written } = yield* undo()
      assert.deepStrictEqual([lost, written], [[{ path: "out", reason: "ignored by git" }], ["a.txt"]])
      assert.deepStrictEqual([text(at("out/1")), text(at("out/made"))], ["mine", "agent"])
    })
  )
})

describe("A directory with a repository in the place of a file", () => {
  it.live("is named until a user moves it away, and redo returns to it", () =>
    Effect.gen(function* () {
      const { at, root, snapshots } = yield* workspace({ "a.txt": "old", "b.txt": "old" })
      const { call, redo, undo } = session(snapshots)
      yield* call(1, () => {
        fs.rmSync(at("a.txt"))
        execFileSync("git", ["init", "-q", at("a.txt")])
        put(root, { "a.txt/inner": "inner", "b.txt": "new" })
      })
      const changed = fingerprint(root)
      const failed = yield* Effect.flip(undo())
      assert.deepStrictEqual(failed._tag === "RestoreIncomplete" ? failed.faults : failed._tag, [
        {
          path: "a.txt",
          message: "it is a directory with entries that no snapshot contains, such as .git: move it away first"
        }
      ])
      assert.strictEqual(text(at("b.txt")), "old")
      yield* redo()
      assert.deepStrictEqual(fingerprint(root), changed)
      yield* Effect.flip(undo())
      fs.renameSync(at("a.txt"), at("moved"))
      yield* undo()
      assert.deepStrictEqual([text(at("a.txt")), text(at("b.txt"))], ["old", "old"])
    })
  )
})

describe("A special file", () => {
  it.live("of a call gives way to the file that it replaced, and a new one stays", () =>
    Effect.gen(function* () {
      const { at, root, snapshots } = yield* workspace({ "a.txt": "old", "b.txt": "old" })
      const { call, undo } = session(snapshots)
      yield* call(1, () => {
        for (const name of ["a.txt", "b.txt"]) fs.rmSync(at(name))
        execFileSync("mkfifo", [at("a.txt"), at("new")])
        fs.symlinkSync("/etc/passwd", at("b.txt"))
        put(root, { "c.txt": "agent" })
      })
      const { lost, removed, written } = yield* undo()
      assert.deepStrictEqual(
        [written, removed, lost],
        [["a.txt", "b.txt"], ["c.txt"], [{ path: "new", reason: "special file" }]]
      )
      assert.deepStrictEqual([text(at("a.txt")), text(at("b.txt"))], ["old", "old"])
      assert.isTrue(fs.lstatSync(at("b.txt")).isFile() && fs.lstatSync(at("new")).isFIFO())
    })
  )

  it.live("of a user in the place of a changed file is a conflict", () =>
    Effect.gen(function* () {
      const { at, root, snapshots } = yield* workspace({ "a.txt": "old" })
      const { call, undo } = session(snapshots)
      yield* call(1, () => put(root, { "a.txt": "agent" }))
      fs.rmSync(at("a.txt"))
      execFileSync("mkfifo", [at("a.txt")])
      const refused = yield* Effect.flip(undo())
      assert.deepStrictEqual([refused._tag, "paths" in refused ? refused.paths : []], ["FilesChanged", ["a.txt"]])
      yield* undo(null, true)
      assert.strictEqual(text(at("a.txt")), "old")
    })
  )
})

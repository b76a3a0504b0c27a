/** Memory files that are staged until the end of a turn. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { FileFolders, StagedFiles, MemoryFiles } from "../src/index.ts"
import { temporaryDirectory } from "./World.ts"

const path = "facts/people.md"
const hold = "main/turn"

/** The committed files, and those of two sessions with staged changes. */
const world = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  return {
    directory,
    all: MemoryFiles.make(directory, "ann"),
    own: MemoryFiles.make(directory, "ann", hold),
    other: MemoryFiles.make(directory, "ann", "other/turn"),
    append: (files: MemoryFiles.MemoryFiles, text: string) =>
      files.editFile(path, (content) => Effect.succeed(content + text))
  }
})

const pathsOf = (files: MemoryFiles.MemoryFiles) =>
  Effect.map(files.listFiles, (listed) => listed.map((file) => file.path))

describe("a staged memory file", () => {
  it.effect("is visible only to its own turn until it is committed, and then to all", () =>
    Effect.gen(function* () {
      const { all, append, directory, other, own } = yield* world
      yield* all.writeFile(path, "Ann")
      yield* append(own, " Bob")
      yield* own.writeFile("new.md", "> Summary: new\n")
      yield* append(own, " Carl")
      assert.strictEqual(yield* own.readFile(path), "Ann Bob Carl")
      assert.deepStrictEqual(yield* pathsOf(own), [path, "new.md"])
      for (const files of [all, other, MemoryFiles.make(directory, "bob", hold)]) {
        assert.notInclude(yield* pathsOf(files), "new.md")
      }
      assert.strictEqual(yield* other.readFile(path), "Ann")
      yield* StagedFiles.settle(directory, hold, "Keep")
      assert.strictEqual(yield* other.readFile(path), "Ann Bob Carl")
      assert.deepStrictEqual(yield* all.listFiles, [
        { path, summary: "", bytes: 12 },
        { path: "new.md", summary: "new", bytes: 15 }
      ])
      assert.isFalse(existsSync(FileFolders.stagedFolder(directory)))
    })
  )

  it.effect("is written without the half-written file of a killed process beside it", () =>
    Effect.gen(function* () {
      const { all, directory } = yield* world
      yield* all.writeFile(path, "Ann")
      const names = readdirSync(directory, { recursive: true, encoding: "utf8" })
      const file = names.find((name) => name.endsWith(".md")) ?? ""
      const folder = join(directory, file, "..")
      const [left, other] = [`.${randomUUID()}.new`, ".mine.new"]
      for (const name of [left, other]) writeFileSync(join(folder, name), "half")
      yield* all.writeFile(path, "Ann Bob")
      assert.deepStrictEqual(readdirSync(folder).toSorted(), [other, "people.md"])
    })
  )

  it.effect("is removed when it is discarded, and changes that others staged stay staged", () =>
    Effect.gen(function* () {
      const { all, append, directory, other, own } = yield* world
      yield* all.writeFile(path, "Ann")
      yield* append(own, " Bob")
      yield* append(other, " Carl")
      yield* StagedFiles.settle(directory, hold, "Drop")
      yield* StagedFiles.settle(directory, hold, "Keep")
      for (const files of [all, own]) assert.strictEqual(yield* files.readFile(path), "Ann")
      assert.strictEqual(yield* other.readFile(path), "Ann Carl")
      assert.isFalse(existsSync(FileFolders.discardedFolder(directory)))
    })
  )

  it.effect("is stored beside the file if another session changed the file meanwhile", () =>
    Effect.gen(function* () {
      const { all, append, directory, other, own } = yield* world
      yield* all.writeFile(path, "Ann")
      yield* append(own, " Bob")
      yield* append(other, " Carl")
      yield* StagedFiles.settle(directory, hold, "Keep")
      yield* StagedFiles.settle(directory, "other/turn", "Keep")
      assert.strictEqual(yield* all.readFile(path), "Ann Bob")
      const [beside, ...more] = yield* pathsOf(all)
      assert.match(beside, /^conflicts\/facts-people-[0-9a-f]{8}\.md$/)
      assert.deepStrictEqual(more, [path])
      assert.strictEqual(yield* all.readFile(beside), "Ann Carl")
    })
  )

  it.effect("is committed once by the next process if one died after any part of the commit", () =>
    Effect.gen(function* () {
      for (const done of [[], ["a.md"], ["a.md", "b.md"]]) {
        const { all, directory, own } = yield* world
        for (const name of ["a.md", "b.md"]) {
          yield* all.writeFile(name, "old")
          yield* own.writeFile(name, `new ${name}`)
        }
        // The state after the first rename of a commit, and the files that were written before the end.
        mkdirSync(FileFolders.committedFolder(directory))
        const [held] = readdirSync(FileFolders.stagedFolder(directory))
        renameSync(join(FileFolders.stagedFolder(directory), held), join(FileFolders.committedFolder(directory), "one"))
        for (const name of done) writeFileSync(join(directory, "ann", name), `new ${name}`)
        assert.deepStrictEqual(yield* pathsOf(all), ["a.md", "b.md"])
        for (const name of ["a.md", "b.md"]) assert.strictEqual(yield* all.readFile(name), `new ${name}`)
        assert.isFalse(existsSync(FileFolders.committedFolder(directory)))
      }
    })
  )

  it.effect("follows no link out of its folder, neither when it is staged nor when it is committed", () =>
    Effect.gen(function* () {
      const { all, directory, own } = yield* world
      const outside = yield* temporaryDirectory
      yield* all.writeFile("a.md", "inside")
      symlinkSync(outside, join(directory, "ann", "link"))
      for (const wrong of ["../x.md", "/etc/x.md", "link/x.md", "a.md/b.md", ".held/x.md"]) {
        assert.strictEqual((yield* Effect.flip(own.writeFile(wrong, "x")))._tag, "ValidationError", wrong)
      }
      yield* own.writeFile("late/x.md", "mine")
      symlinkSync(outside, join(directory, "ann", "late"))
      yield* StagedFiles.settle(directory, hold, "Keep")
      assert.isFalse(existsSync(join(outside, "x.md")))
      const beside = (yield* pathsOf(all)).find((found) => found.startsWith("conflicts/")) ?? ""
      assert.strictEqual(yield* all.readFile(beside), "mine")
    })
  )

  it.effect("stays staged if it cannot be committed now, without blocking others", () =>
    Effect.gen(function* () {
      const { all, append, directory, other, own } = yield* world
      const outside = yield* temporaryDirectory
      yield* append(own, "mine")
      yield* other.writeFile("other.md", "other")
      yield* all.writeFile(path, "changed meanwhile")
      symlinkSync(outside, join(directory, "ann", "conflicts"))
      assert.strictEqual((yield* Effect.flip(StagedFiles.settle(directory, hold, "Keep")))._tag, "ValidationError")
      yield* Effect.flip(StagedFiles.settle(directory, "other/turn", "Keep"))
      assert.deepStrictEqual(yield* pathsOf(all), [path, "other.md"])
      rmSync(join(directory, "ann", "conflicts"))
      assert.lengthOf(yield* pathsOf(all), 3)
    })
  )

  it.effect("is discarded if its session no longer exists, and a change that is staged meanwhile is not", () =>
    Effect.gen(function* () {
      const { all, append, directory, other, own } = yield* world
      yield* all.writeFile(path, "Ann")
      yield* append(own, " Bob")
      yield* append(other, " Carl")
      const late = MemoryFiles.make(directory, "ann", "late/turn")
      yield* StagedFiles.dropOthers(directory, Effect.as(append(late, " Dora"), ["other/turn", "no/turn"]))
      assert.strictEqual(yield* own.readFile(path), "Ann")
      assert.strictEqual(yield* other.readFile(path), "Ann Carl")
      assert.strictEqual(yield* late.readFile(path), "Ann Dora")
      yield* StagedFiles.dropOthers(directory, Effect.succeed([]))
      assert.strictEqual(yield* late.readFile(path), "Ann")
      assert.deepStrictEqual(
        [FileFolders.stagedFolder, FileFolders.discardedFolder].map((folder) => existsSync(folder(directory))),
        [false, false]
      )
      yield* StagedFiles.dropOthers(directory, Effect.die("nothing is held"))
    })
  )

  it.effect("stays if the sessions that would commit it cannot be read", () =>
    Effect.gen(function* () {
      const { append, directory, own } = yield* world
      yield* append(own, "Bob")
      assert.strictEqual(yield* Effect.flip(StagedFiles.dropOthers(directory, Effect.fail("unreadable"))), "unreadable")
      assert.strictEqual(yield* own.readFile(path), "Bob")
    })
  )
})

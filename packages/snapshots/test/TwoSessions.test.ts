/** Two sessions in one workspace, each with a process of its own: each undoes its own calls, and no file is lost. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as fs from "node:fs"
import { WorkspaceSnapshots } from "../src/index.ts"
import { fingerprint, put, session, workspace } from "./Scratch.ts"

const text = (file: string): string | null => (fs.existsSync(file) ? fs.readFileSync(file, "utf8") : null)

/** A workspace with a session in each of two stores that are open on the same file. */
const shared = Effect.fnUntraced(function* (files: Readonly<Record<string, string>>) {
  const { at, root, snapshots, store } = yield* workspace(files)
  const others = yield* WorkspaceSnapshots.make({ root, directory: store })
  return { at, root, first: session(snapshots, "first"), second: session(others, "second") }
})

const names = Array.from({ length: 30 }, (_, index) => `${index}`)

describe("Two sessions in one workspace", () => {
  it.live("undo and redo their own calls in any order", () =>
    Effect.gen(function* () {
      const { at, first, root, second } = yield* shared({ "a.txt": "old", "b.txt": "old", "c.txt": "old" })
      yield* first.call(1, () => put(root, { "a.txt": "first", "made/a.txt": "first" }))
      yield* second.call(1, () => put(root, { "b.txt": "second", "made/b.txt": "second" }))
      yield* first.call(2, () => put(root, { "c.txt": "first" }))
      const all = fingerprint(root)
      assert.deepStrictEqual((yield* second.undo()).written, ["b.txt"])
      assert.deepStrictEqual([text(at("a.txt")), text(at("made/a.txt"))], ["first", "first"])
      assert.deepStrictEqual((yield* first.undo(1)).written, ["a.txt", "c.txt"])
      assert.deepStrictEqual(
        ["a.txt", "b.txt", "c.txt", "made"].map((name) => text(at(name)) ?? fs.existsSync(at(name))),
        ["old", "old", "old", false]
      )
      yield* second.redo()
      yield* first.redo()
      assert.deepStrictEqual(fingerprint(root), all)
    })
  )

  it.live("refuse to undo what the other one has changed since, and name it", () =>
    Effect.gen(function* () {
      const { at, first, root, second } = yield* shared({ "a.txt": "old", "b.txt": "old" })
      yield* first.call(1, () => put(root, { "a.txt": "first", "b.txt": "first" }))
      yield* second.call(1, () => put(root, { "a.txt": "second" }))
      const refused = yield* Effect.flip(first.undo())
      assert.deepStrictEqual([refused._tag, "paths" in refused ? refused.paths : []], ["FilesChanged", ["a.txt"]])
      yield* second.undo()
      yield* first.undo()
      assert.deepStrictEqual([text(at("a.txt")), text(at("b.txt"))], ["old", "old"])
    })
  )

  it.live("leave the files that the other one writes during an undo and a redo", () =>
    Effect.gen(function* () {
      const old = Object.fromEntries(names.map((name) => [`first/${name}`, "old"]))
      const { first, root, second } = yield* shared({ ...old, "second/": "" })
      yield* first.call(1, () => put(root, Object.fromEntries(names.map((name) => [`first/${name}`, "first"]))))
      const writing = yield* Effect.forkChild(
        Effect.forEach(names, (name) =>
          Effect.andThen(
            second.call(1, () => put(root, { [`second/${name}`]: name, [`first/of-second-${name}`]: name })),
            Effect.yieldNow
          )
        )
      )
      for (let round = 0; round < 3; round++) {
        yield* first.undo()
        yield* first.redo()
      }
      yield* first.undo()
      yield* Fiber.join(writing)
      const contents = (name: string) => [
        text(`${root}/first/${name}`),
        text(`${root}/second/${name}`),
        text(`${root}/first/of-second-${name}`)
      ]
      assert.deepStrictEqual(
        names.map(contents),
        names.map((name) => ["old", name, name])
      )
    })
  )

  it.live("change during a command of the other one: both undo it, and a redo returns", () =>
    Effect.gen(function* () {
      const { at, first, root, second } = yield* shared({ "a.txt": "old" })
      const during = second.call(1, () => put(root, { "b.txt": "second" }))
      const before = yield* first.before
      put(root, { "a.txt": "first" })
      yield* during
      first.calls.push({ turn: 1, commit: 1, before, after: yield* first.after })
      const { removed, written } = yield* first.undo()
      assert.deepStrictEqual([written, removed], [["a.txt"], ["b.txt"]])
      yield* first.redo()
      assert.deepStrictEqual([text(at("a.txt")), text(at("b.txt"))], ["first", "second"])
      yield* second.undo()
      assert.deepStrictEqual([text(at("a.txt")), text(at("b.txt"))], ["first", null])
    })
  )
})

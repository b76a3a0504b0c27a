/** Paths that ripgrep listed, after the disk has changed: they are looked up again, each directory once. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { existingEntries } from "../../src/internal/existingEntries.ts"
import { openRoot, type Root } from "../../src/internal/root.ts"
import { directories, put } from "../Scratch.ts"

const found = Effect.fnUntraced(function* (given: Root, listed: ReadonlyArray<string>, limit = 100) {
  const { items, truncated } = yield* existingEntries(given, listed, limit)
  return { paths: items.map((item) => item.path), truncated }
})

const opened = Effect.fnUntraced(function* (files: ReadonlyArray<string>, more: Partial<Root> = {}) {
  const { outside, root } = yield* directories
  put(root, Object.fromEntries(files.map((file) => [file, ""])))
  const made = yield* openRoot({ path: root, start: root }, [path.join(root, "own"), path.join(root, "b/state")], {
    descriptorPlace: "/proc/self/fd",
    secretPaths: () => [],
    temporaries: {} as never
  })
  return { outside, root: { ...made, ...more }, at: (name: string) => path.join(root, name) }
})

describe("existing entries", () => {
  it.effect("are in the order of the list, without those that are gone or may not be seen", () =>
    Effect.gen(function* () {
      const { root, at } = yield* opened(["a.ts", "b/one.ts", "b/two.ts", "b/c/x.ts", "own/y.ts", "own/z.ts", "b/z.ts"])
      fs.rmSync(at("b/two.ts"))
      const listed = [
        "a.ts",
        "b/c/x.ts",
        "b/one.ts",
        "b/server.pem",
        "b/state",
        "b/two.ts",
        "b/z.ts",
        "own/y.ts",
        "own/z.ts",
        ".bough/a",
        ".bough/b"
      ]
      put(root.path, { ".bough/a": "", ".bough/b": "", "b/server.pem": "", "b/state": "" })
      assert.deepStrictEqual(yield* found(root, listed), {
        paths: ["a.ts", "b/c/x.ts", "b/one.ts", "b/z.ts"],
        truncated: false
      })
    }).pipe(Effect.scoped)
  )

  it.effect("are cut to the limit, and more only if there is another one", () =>
    Effect.gen(function* () {
      const { root, at } = yield* opened(["a/1", "a/2", "a/3", "b/4", "b/5"])
      const listed = ["a/1", "a/2", "a/3", "b/4", "b/5"]
      assert.deepStrictEqual(yield* found(root, listed, 3), { paths: ["a/1", "a/2", "a/3"], truncated: true })
      assert.deepStrictEqual(yield* found(root, listed, 5), { paths: listed, truncated: false })
      fs.rmSync(at("b"), { recursive: true })
      assert.deepStrictEqual(yield* found(root, listed, 3), { paths: ["a/1", "a/2", "a/3"], truncated: false })
    }).pipe(Effect.scoped)
  )

  it.effect("are not reached through a directory that has become a link", () =>
    Effect.gen(function* () {
      const { root, at, outside } = yield* opened(["a/secret", "a/other", "b/one", "c/one", "c/two"])
      fs.writeFileSync(path.join(outside, "other"), "")
      fs.rmSync(at("a"), { recursive: true })
      fs.symlinkSync(outside, at("a"))
      fs.rmSync(at("b"), { recursive: true })
      fs.symlinkSync("c", at("b"))
      assert.deepStrictEqual(yield* found(root, ["a/other", "a/secret", "b/one", "b/two", "c/one"]), {
        paths: ["c/one"],
        truncated: false
      })
    }).pipe(Effect.scoped)
  )

  it.effect("are walked alone if their call was judged by them", () =>
    Effect.gen(function* () {
      const elsewhere = { place: ["b", "one"], entry: ["b", "one"] }
      const { root } = yield* opened(["a/one", "a/two"], { judged: new Map([["a/one", elsewhere]]) })
      assert.deepStrictEqual(yield* found(root, ["a/one", "a/two"]), { paths: ["a/two"], truncated: false })
    }).pipe(Effect.scoped)
  )
})

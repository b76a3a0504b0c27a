/** The parts that need no store. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Fusion, MemoryFiles } from "../src/index.ts"
import * as Reconcile from "../src/Reconcile.ts"
import { temporaryDirectory } from "./World.ts"

const Rows = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 })))

const ascending = (rows: ReadonlyArray<number>) => rows.toSorted((left, right) => left - right)

/** Hits of common words, in the order given. */
const common = (rows: ReadonlyArray<number>) => rows.map((row, rank) => ({ row, score: 3 - rank / 100 }))

const order = (ranked: ReadonlyArray<Fusion.Ranked>) => ranked.map(({ row }) => row)

describe("Fusion", () => {
  it.prop("ranks every row of either list once, and what is first in both first", [Rows, Rows], ([left, right]) => {
    const words = [...new Set(left)]
    const meaning = [...new Set(right)]
    const fused = order(Fusion.fuse(common(words), meaning))
    assert.deepStrictEqual(ascending(fused), ascending([...new Set([...words, ...meaning])]))
    if (words.length > 0 && words[0] === meaning[0]) assert.strictEqual(fused[0], words[0])
    assert.deepStrictEqual(order(Fusion.fuse(common(words), [])), words)
  })

  it("lets a list of no weight change no order", () => {
    const fused = Fusion.fuse(common([1, 2]), [3, 2], { words: 1, meaning: 0, smoothing: 60 })
    assert.deepStrictEqual(order(fused).slice(0, 2), [1, 2])
  })

  it.prop(
    "puts the notes first that stand out by their words, whatever means the same",
    [Rows, Rows],
    ([left, right]) => {
      const rare = [
        { row: 100, score: 9 },
        { row: 101, score: 8 }
      ]
      const words = [...rare, ...common([...new Set(left)])]
      assert.deepStrictEqual(order(Fusion.fuse(words, [...new Set(right)])).slice(0, 2), [100, 101])
    }
  )

  it("lets no note stand out that is little ahead, by a common word, or one of many", () => {
    const meaning = [1, 2, 3]
    for (const words of [
      [{ row: 100, score: 9 }, ...[1, 2, 3].map((row) => ({ row, score: 8 }))],
      [{ row: 100, score: 3 }],
      [100, 101, 102, 103].map((row) => ({ row, score: 9 }))
    ]) {
      assert.strictEqual(order(Fusion.fuse(words, meaning))[0], 1)
    }
  })
})

describe("Reconcile", () => {
  it.prop("leaves the index with exactly the live rows, each once", [Rows, Rows], ([left, have]) => {
    const live = ascending([...new Set(left)])
    const { missing, surplus } = Reconcile.difference(Float64Array.from(live), Float64Array.from(have))
    const after = [...have.filter((row) => !surplus.includes(row)), ...missing]
    assert.deepStrictEqual(ascending(after), live)
    assert.deepStrictEqual([...missing], ascending([...missing]))
  })
})

describe("MemoryFiles", () => {
  it.effect("lists what was written with its summary, and edits in one go", () =>
    Effect.gen(function* () {
      const files = MemoryFiles.make(yield* temporaryDirectory, "ann")
      assert.deepStrictEqual(yield* files.listFiles, [])
      yield* files.writeFile("facts/people.md", "# People\n\n> Summary: who is who\n\nAnn")
      assert.deepStrictEqual(yield* files.listFiles, [{ path: "facts/people.md", summary: "who is who", bytes: 36 }])
      yield* files.editFile("facts/people.md", (content) => Effect.succeed(`${content} and Bob`))
      assert.include(yield* files.readFile("facts/people.md"), "Ann and Bob")
      const missing = yield* Effect.flip(files.readFile("none.md"))
      assert.match(missing.message, /no memory file none.md/)
    })
  )

  it.effect("leads nowhere but below its root", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const files = MemoryFiles.make(directory, "ann")
      const outside = join(directory, "outside")
      mkdirSync(outside)
      writeFileSync(join(outside, "x.md"), "outside")
      yield* files.writeFile("a.md", "inside")
      symlinkSync(outside, join(directory, "ann", "link"))
      symlinkSync(join(outside, "x.md"), join(directory, "ann", "link.md"))
      const paths = [
        "../outside/x.md",
        "/etc/x.md",
        "a/../../outside/x.md",
        "link/x.md",
        "link.md",
        "a.md/b.md",
        ".x.md"
      ]
      for (const path of [
        ...paths,
        "a\\..\\x.md",
        "x.md\u0000",
        "x.txt",
        "",
        ".md",
        "a//b.md",
        "a/b/c/d/e.md",
        "..md"
      ]) {
        for (const call of [files.readFile(path), Effect.asVoid(files.writeFile(path, "changed"))]) {
          assert.strictEqual((yield* Effect.flip(call))._tag, "ValidationError", path)
        }
      }
      assert.lengthOf(yield* files.listFiles, 1)
      const other = MemoryFiles.make(directory, "../ann")
      assert.deepStrictEqual(yield* other.listFiles, [])
    })
  )
})

/** The parts that need no store. */
import { Note } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Fusion, MemoryFiles } from "../src/index.ts"
import * as Recency from "../src/Recency.ts"
import * as Reconcile from "../src/Reconcile.ts"
import { temporaryDirectory } from "./World.ts"

const Rows = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 })))

const ascending = (rows: ReadonlyArray<number>) => rows.toSorted((left, right) => left - right)

/** Scores the rows as unlikely, in their order. */
const unlikely = (rows: ReadonlyArray<number>) => rows.map((row, rank) => ({ row, score: 0.05 - rank / 10_000 }))

const order = (ranked: ReadonlyArray<Fusion.RankedRow>) => ranked.map(({ row }) => row)

describe("Fusion", () => {
  it.prop(
    "ranks every row of either list once, and a row that is first in both first",
    [Rows, Rows],
    ([left, right]) => {
      const words = [...new Set(left)]
      const meaning = [...new Set(right)]
      const fused = order(Fusion.fuse(unlikely(words), meaning))
      assert.deepStrictEqual(ascending(fused), ascending([...new Set([...words, ...meaning])]))
      if (words.length > 0 && words[0] === meaning[0]) assert.strictEqual(fused[0], words[0])
      assert.deepStrictEqual(order(Fusion.fuse(unlikely(words), [])), words)
      assert.deepStrictEqual(order(Fusion.fuse([], meaning)), meaning)
    }
  )

  it("lets a list of weight 0 change no order", () => {
    const fused = Fusion.fuse(unlikely([1, 2]), [3, 2], { words: 1, meaning: 0, smoothing: 60 })
    assert.deepStrictEqual(order(fused).slice(0, 2), [1, 2])
    const meant = Fusion.fuse(unlikely([1, 2]), [3, 2], { words: 0, meaning: 1, smoothing: 60 })
    assert.deepStrictEqual(order(meant), [3, 2, 1])
  })

  it.prop(
    "ranks notes that are likely by their words first, for any similarity of meaning",
    [Rows, Rows],
    ([left, right]) => {
      const likely = [
        { row: 100, score: 0.9 },
        { row: 101, score: 0.8 }
      ]
      const words = [...likely, ...unlikely([...new Set(left)])]
      assert.deepStrictEqual(order(Fusion.fuse(words, [...new Set(right)])).slice(0, 2), [100, 101])
    }
  )

  it("ranks meaning before words that make nothing likely", () => {
    assert.strictEqual(order(Fusion.fuse([{ row: 100, score: 0.05 }], [1, 2, 3]))[0], 1)
  })
})

describe("Recency", () => {
  const note = (updatedAtMillis: number, text = ""): Note.Note => ({
    noteId: Note.NoteId.make(`note-${updatedAtMillis}`),
    kind: "fact",
    text,
    tags: [],
    source: "",
    untrusted: false,
    createdAtMillis: 0,
    updatedAtMillis,
    project: null,
    validUntilMillis: null
  })
  const Times = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 })))

  it.prop("ranks the newer of equals first, and no note before one that matches clearly better", [Times], ([times]) => {
    const notes = new Map(times.map((time, row) => [row, note(time)]))
    const equals = Recency.preferNewer(
      times.map((_, row) => ({ row, score: 0.5 })),
      notes
    ).map(({ row }) => row)
    assert.deepStrictEqual(
      equals,
      times.map((_, row) => row).toSorted((left, right) => times[right] - times[left] || right - left)
    )
    const apart = times.map((_, row) => ({ row, score: 1.06 ** -row }))
    assert.deepStrictEqual(order(Recency.preferNewer(apart, notes)), order(apart))
  })

  it("ranks the newer of two on one subject first among many others, and no other note by its age", () => {
    const texts = [
      "Weekly planning is on Mondays at 10:00",
      "Weekly planning moved to Tuesdays at 9:15",
      "The piano was tuned"
    ]
    const others = Array.from({ length: 40 }, (_, row) => `note of another kind z${row}`)
    const notes = new Map([...texts, ...others].map((text, row) => [row, note(row, text)]))
    const ranked = [...texts, ...others].map((_, row) => ({ row, score: row < 3 ? 0.9 - 0.01 * row : 0.1 }))
    assert.deepStrictEqual(order(Recency.preferNewer(ranked, notes)).slice(0, 3), [1, 0, 2])
    const better = ranked.map(({ row, score }) => ({ row, score: row === 0 ? 1 : score }))
    assert.deepStrictEqual(order(Recency.preferNewer(better, notes)).slice(0, 3), [0, 1, 2])
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
  it.effect("lists files with their summary, and edits atomically", () =>
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

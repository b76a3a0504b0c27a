/** Tests of the first search of a process over a large memory, and of the file that it reads. */
import { Note } from "@bough/protocol"
import { NoteStore } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import { Embedder, NoteIndex } from "../src/index.ts"
import * as PackedIndex from "../src/PackedIndex.ts"
import { draft, fill, place, query, save } from "./notes.ts"
import { open, staticModel, temporaryDirectory } from "./World.ts"

describe("a large memory", () => {
  const largestExact = 100

  /** An index over the store of the directory, and whether it has opened the table. */
  const watched = Effect.fnUntraced(function* (directory: string) {
    const { store } = yield* open(directory, { largestExact })
    let isOpened = false
    const watching = {
      ...store,
      rowNumbers: Effect.tap(store.rowNumbers, () => Effect.sync(() => (isOpened = true)))
    }
    const index = yield* NoteIndex.make({
      directory: join(directory, "memory", "index"),
      embedder: yield* Embedder.make(staticModel),
      onProgress: () => {},
      largestExact
    }).pipe(Effect.provideService(NoteStore.NoteStore, watching))
    return { index, store, isOpened: () => isOpened }
  })

  const packedFile = (directory: string) => PackedIndex.fileIn(join(directory, "memory", "index"))

  const build = Effect.fnUntraced(function* (directory: string) {
    const { memory, store } = yield* open(directory, { largestExact })
    yield* fill(store, 0, 400)
    yield* store.save({ ...place, user: "ben" }, draft(1, "The physician is on holiday"))
    yield* store.save(place, { ...draft(600, "A doctor of the project"), tags: ["x"], project: "/p" })
    yield* memory.index.settle(false)
  }, Effect.scoped)

  it.live("answers the first search of a process from a file, without its table, as the table answers the next", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* build(directory)
      for (const [from, asked, isFromFile] of [
        [place, query, true],
        [place, { ...query, text: "topic", limit: 40 }, true],
        [{ ...place, project: "/p" }, query, true],
        [{ ...place, user: "ben" }, query, true],
        [{ ...place, project: "/p" }, { ...query, tags: ["x"] }, false]
      ] as const) {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { index, isOpened } = yield* watched(directory)
            const first = yield* index.similar(from, asked)
            assert.isNotEmpty(first.rows)
            assert.strictEqual(isOpened(), !isFromFile)
            const second = yield* index.similar(from, asked)
            assert.isTrue(isOpened())
            assert.deepStrictEqual(
              first.rows.map(({ similarity }) => similarity.toFixed(5)),
              second.rows.map(({ similarity }) => similarity.toFixed(5))
            )
          })
        )
      }
    })
  )

  it.live(
    "finds notes that were saved since, not the removed ones, and rewrites the file",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* build(directory)
        const before = readFileSync(packedFile(directory))
        const [saved, removed] = yield* Effect.scoped(
          Effect.gen(function* () {
            const { store } = yield* open(directory, { largestExact, model: null })
            yield* save(store, 700, "Our doctor moved to Ghent")
            yield* store.remove(place, Note.NoteId.make("note-0"))
            return [(yield* store.counters).written, (yield* store.drops(0, 10))[0]]
          })
        )
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { index, isOpened } = yield* watched(directory)
            const rows = (yield* index.similar(place, { ...query, limit: 10 })).rows.map(({ row }) => row)
            assert.isFalse(isOpened())
            assert.include(rows, saved)
            assert.notInclude(rows, removed)
          })
        )
        // Behind the header, which has counters.
        const rowIn = (file: Uint8Array, row: number): boolean =>
          Buffer.from(file).includes(Buffer.from(Float64Array.of(row).buffer), 40)
        const after = readFileSync(packedFile(directory))
        assert.deepStrictEqual([rowIn(before, removed), rowIn(after, removed)], [true, false])
        assert.deepStrictEqual([rowIn(before, saved), rowIn(after, saved)], [false, true])
      }),
    thoroughOnly
  )

  it.live(
    "uses its table if the file is damaged or missing, and writes the file again",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* build(directory)
        const whole = readFileSync(packedFile(directory))
        for (const spoil of [
          () => writeFileSync(packedFile(directory), whole.fill(0, 2000, 4000)),
          () => rmSync(packedFile(directory))
        ]) {
          spoil()
          yield* Effect.scoped(
            Effect.gen(function* () {
              const { index, isOpened } = yield* watched(directory)
              const { rows } = yield* index.similar(place, query)
              assert.deepStrictEqual([rows[0].row, isOpened()], [1, true])
            })
          )
          yield* Effect.scoped(
            Effect.gen(function* () {
              const { index, isOpened } = yield* watched(directory)
              const { rows } = yield* index.similar(place, query)
              assert.deepStrictEqual([rows[0].row, isOpened()], [1, false])
            })
          )
        }
      }),
    thoroughOnly
  )
})

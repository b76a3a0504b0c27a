/** Tests of finding by meaning in small memories and in large ones, and of the change from one to the other. */
import { Note } from "@bough/protocol"
import { NoteStoreMemory } from "@bough/store-sqlite"
import { NoteStore } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { thoroughOnly } from "../../../test/thorough.ts"
import { Embedder, NoteIndex } from "../src/index.ts"
import * as Nearest from "../src/Nearest.ts"
import type { VectorRow } from "../src/VectorTable.ts"
import { draft, fill, place, query, save } from "./notes.ts"
import { indexIn, open, staticModel, temporaryDirectory } from "./World.ts"

const unchanged: NoteStore.Change = { untrusted: false, text: null, kind: null, tags: null }

const isTable = (directory: string): boolean => existsSync(indexIn(directory))

describe("a small memory", () => {
  it.live(
    "compares meaning in searches after an import, in every process, and has no table",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const process = { largestExact: 20_000 }
        yield* Effect.scoped(Effect.flatMap(open(directory, process), ({ store }) => fill(store, 0, 3000)))
        for (let search = 0; search < 3; search++) {
          yield* Effect.scoped(
            Effect.gen(function* () {
              const { memory } = yield* open(directory, process)
              // On a busy machine a search may end before all vectors are computed; the next one continues.
              const { rows } = yield* Effect.repeat(memory.index.similar(place, query), {
                until: ({ reason }) => reason === null
              })
              assert.strictEqual(rows[0].row, 1)
              assert.strictEqual((yield* memory.index.report)?.notes, 3000)
            })
          )
        }
        assert.isFalse(isTable(directory))
      }),
    thoroughOnly
  )

  it.live("keeps the vectors of a search when the process ends, however slow the model is", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const module = join(directory, "slow.mjs")
      writeFileSync(
        module,
        `import { load as loadStatic } from ${JSON.stringify(staticModel.module)}
export const load = () => {
  const { embed, identity } = loadStatic()
  const slow = (texts) => new Promise((resolve) => setTimeout(() => resolve(embed(texts)), texts.length > 1 ? 150 : 0))
  return { identity, embed: slow }
}`
      )
      const process = { largestExact: 20_000, model: { ...staticModel, module: pathToFileURL(module).href } }
      yield* Effect.scoped(
        Effect.flatMap(open(directory, { ...process, model: null }), ({ store }) => fill(store, 0, 1500))
      )
      const search = Effect.scoped(
        Effect.gen(function* () {
          const { memory } = yield* open(directory, process)
          const { reason, rows } = yield* memory.index.similar(place, query)
          assert.isNotEmpty(rows)
          return { isWhole: reason === null, notes: (yield* memory.index.report)?.notes ?? 0 }
        })
      )
      const searches = [yield* search]
      while (!searches[searches.length - 1].isWhole) {
        const next = yield* search
        assert.isAbove(next.notes, searches[searches.length - 1].notes)
        searches.push(next)
      }
      assert.isAbove(searches.length, 1)
    })
  )

  it.live(
    "answers the first search of a process, which makes no index, as it answers the next ones",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const process = { largestExact: 20_000 }
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { memory, store } = yield* open(directory, process)
            yield* fill(store, 0, 300)
            for (const [n, tags] of [["x"], ["x", "y"], ["y"]].entries()) {
              yield* store.update(place, Note.NoteId.make(`note-${n + 1}`), { ...unchanged, tags })
            }
            yield* store.save({ ...place, user: "ben" }, { ...draft(1, "The physician is on holiday") })
            yield* store.save(place, { ...draft(500, "A doctor of the project"), project: "/p" })
            yield* store.save({ ...place, hold: "turn" }, draft(501, "A doctor who is staged"))
            yield* memory.index.settle(false)
          })
        )
        const places = [place, { ...place, hold: "turn" }, { ...place, project: "/p" }, { ...place, user: "ben" }]
        const queries = [
          query,
          { ...query, limit: 400 },
          { ...query, tags: ["x"] },
          { ...query, kinds: ["decision" as const] }
        ]
        for (const [from, request] of places.flatMap((from) => queries.map((request) => [from, request] as const))) {
          yield* Effect.scoped(
            Effect.gen(function* () {
              const { memory, store } = yield* open(directory, process)
              let pages = 0
              const index = yield* NoteIndex.make({
                directory: join(directory, "unused"),
                embedder: yield* Embedder.make(staticModel),
                onProgress: () => {},
                ...process
              }).pipe(
                Effect.provideService(NoteStore.NoteStore, {
                  ...store,
                  vectors: (modelId, page) => Effect.tap(store.vectors(modelId, page), () => Effect.sync(() => pages++))
                })
              )
              const first = yield* index.similar(from, request)
              assert.strictEqual(pages, 0)
              const second = yield* index.similar(from, request)
              assert.isAbove(pages, 0)
              assert.deepStrictEqual(first, second)
              assert.deepStrictEqual(yield* memory.index.similar(from, request), first)
            })
          )
        }
      }),
    thoroughOnly
  )

  it.live("stores the vectors of notes that a process saves after its only search", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const process = { largestExact: 20_000 }
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { memory, store } = yield* open(directory, process)
          yield* fill(store, 0, 10)
          yield* memory.index.settle(false)
        })
      )
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { find, save } = yield* open(directory, process)
          yield* find("doctor")
          yield* save("The dentist moved to Ghent")
        })
      )
      const { memory } = yield* open(directory, process)
      assert.strictEqual((yield* memory.index.report)?.notes, 11)
    })
  )

  it.live("removes a note's vector with the note, and all of them with another model", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const process = { largestExact: 20_000 }
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { memory, store } = yield* open(directory, process)
          yield* fill(store, 0, 20)
          yield* memory.index.settle(false)
          yield* store.remove(place, Note.NoteId.make("note-3"))
          assert.strictEqual((yield* memory.index.report)?.notes, 19)
        })
      )
      const module = join(directory, "another.mjs")
      writeFileSync(
        module,
        `import { load as loadStatic } from ${JSON.stringify(staticModel.module)}
export const load = () => ({ ...loadStatic(), identity: "another" })`
      )
      const model = { ...staticModel, module: pathToFileURL(module).href }
      const { memory } = yield* open(directory, { ...process, model })
      assert.deepStrictEqual((yield* memory.index.similar(place, query)).rows[0].row, 1)
      assert.deepInclude(yield* memory.index.report, { modelId: "another", notes: 19 })
    })
  )
})

describe("a memory that grows and shrinks", () => {
  it.live(
    "gets a table above the threshold, keeps it a little below, and removes it far below; each search finds",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const largestExact = 100
        const first = Effect.gen(function* () {
          const { memory } = yield* open(directory, { largestExact })
          const { reason, rows } = yield* memory.index.similar(place, query)
          assert.deepStrictEqual([reason, rows[0].row], [null, 1])
        })
        const steps: ReadonlyArray<readonly [notes: number, table: boolean]> = [
          [100, false],
          [101, true],
          [80, true],
          [75, false],
          [100, false],
          [200, true]
        ]
        let notes = 0
        for (const [wanted, table] of steps) {
          yield* Effect.scoped(
            Effect.gen(function* () {
              const { store } = yield* open(directory, { largestExact, model: null })
              if (wanted > notes) yield* fill(store, notes, wanted - notes)
              for (let n = wanted; n < notes; n++) yield* store.remove(place, Note.NoteId.make(`note-${n}`))
              notes = wanted
            })
          )
          yield* Effect.scoped(first)
          assert.strictEqual(isTable(directory), table, `${wanted} notes`)
        }
      }),
    thoroughOnly
  )

  it.live(
    "serves while one process grows above the threshold, and from the table afterwards",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const { memory, store } = yield* open(directory, { largestExact: 600 })
        yield* fill(store, 0, 500)
        for (const from of [500, 800]) {
          const { reason, rows } = yield* memory.index.similar(place, query)
          assert.deepStrictEqual([reason, rows[0].row], [null, 1])
          yield* fill(store, from, 300)
        }
        yield* memory.index.similar(place, query)
        yield* memory.index.settle(false)
        assert.isTrue(isTable(directory))
        const { reason, rows } = yield* memory.index.similar(place, query)
        assert.deepStrictEqual([reason, rows[0].row], [null, 1])
      }),
    thoroughOnly
  )
})

describe("a memory of a store in memory", () => {
  it.live("finds by meaning, and finds nothing of an earlier memory over the same table", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      for (const word of ["physician", "attorney"]) {
        const found = yield* Effect.gen(function* () {
          const store = yield* NoteStore.NoteStore
          const embedder = yield* Embedder.make(staticModel)
          const index = yield* NoteIndex.make({ directory, embedder, onProgress: () => {}, largestExact: 0 })
          yield* save(store, 0, `The ${word} is on holiday`)
          yield* index.settle(false)
          const { rows } = yield* index.similar(place, { ...query, text: "doctor or lawyer" })
          return yield* store.visible(
            place,
            rows.map(({ row }) => row)
          )
        }).pipe(Effect.scoped, Effect.provide(Layer.fresh(NoteStoreMemory.layer)))
        assert.deepStrictEqual(
          found.map(({ note }) => note.text),
          [`The ${word} is on holiday`]
        )
      }
    })
  )
})

describe("Nearest", () => {
  const Small = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 }))
  const Rows = Schema.Array(
    Schema.Struct({ user: Small, project: Small, kind: Small, tags: Schema.Array(Small), x: Small })
  )
  const Filter = Schema.Struct({
    user: Small,
    projects: Schema.NullOr(Schema.Array(Small)),
    kinds: Schema.Array(Small),
    tags: Schema.Array(Small)
  })

  it.prop("returns the best of those that pass, the best first", [Rows, Filter, Small], ([input, filter, limit]) => {
    const rows = input.map(({ x, ...row }, index): VectorRow => ({ ...row, row: index, vector: Float32Array.of(x, 1) }))
    const found = Nearest.nearestRows(rows, { vector: Float32Array.of(1, 0), filter, limit })
    const passing = rows.filter(
      ({ kind, project, tags, user }) =>
        user === filter.user &&
        filter.kinds.includes(kind) &&
        (filter.projects?.includes(project) ?? true) &&
        filter.tags.every((tag) => tags.includes(tag))
    )
    const expected = passing
      .map(({ row, vector }) => ({ row, similarity: vector[0] }))
      .toSorted((left, right) => right.similarity - left.similarity || right.row - left.row)
    assert.deepStrictEqual(found, expected.slice(0, limit))
  })
})

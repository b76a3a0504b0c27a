/** Rows that another process's lock keeps out of the index. */
import * as ProcessLock from "@bough/disk/ProcessLock"
import { Note } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import { Embedder } from "../src/index.ts"
import * as OpenIndex from "../src/OpenIndex.ts"
import { open, staticModel, temporaryDirectory } from "./World.ts"

const place = { user: "ann", hold: null }
const notes = 520

/** An index of a store with more notes than are embedded while a search waits. */
const world = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const { store } = yield* open(directory)
  const save = (n: number) =>
    store.save(place, {
      noteId: Note.NoteId.make(`note-${n}`),
      kind: "fact",
      text: `entry ${n} about the garden`,
      tags: [],
      source: "",
      untrusted: false,
      createdAtMillis: null
    })
  for (let n = 0; n < notes; n++) yield* save(n)
  const index = join(directory, "apart")
  const embedder = yield* Embedder.make(staticModel)
  const opened = OpenIndex.open({
    directory: index,
    embedder,
    library: null,
    store,
    onProgress: () => {},
    lockMillis: 1
  })
  const found = (from: OpenIndex.OpenIndex) =>
    Effect.map(
      Effect.flatten(from.search(place, { text: "garden", limit: 1000, tags: [], kinds: [] })),
      (rows) => new Set(rows.map(({ row }) => row)).size
    )
  const locked = <A, E, R>(body: Effect.Effect<A, E, R>) =>
    Effect.scoped(
      Effect.flatMap(ProcessLock.acquire(join(index, "index.lock")), (mine) => {
        assert.isTrue(mine)
        return body
      })
    )
  return { index, opened, found, locked, save, store }
})

describe("an index", () => {
  it.live("that lacks rows because of another process's lock has them after the next build", () =>
    Effect.gen(function* () {
      const { found, locked, opened } = yield* world
      const index = yield* opened
      assert.strictEqual(index.backlog(), notes)
      yield* locked(index.build)
      assert.strictEqual(index.backlog(), notes)
      yield* index.build
      assert.strictEqual(index.backlog(), 0)
      assert.strictEqual(yield* found(index), notes)
      assert.strictEqual((yield* opened).backlog(), 0)
    })
  )

  it.live(
    "finds the rows that the lock kept from being written, and writes them later",
    () =>
      Effect.gen(function* () {
        const { found, locked, opened, save } = yield* world
        const index = yield* opened
        yield* index.build
        yield* save(notes)
        yield* locked(index.flush)
        assert.strictEqual(yield* found(index), notes + 1)
        yield* index.flush
        assert.strictEqual(yield* found(index), notes + 1)
        assert.strictEqual(yield* found(yield* opened), notes + 1)
      }),
    thoroughOnly
  )

  it.live(
    "keeps no earlier version with a removed note",
    () =>
      Effect.gen(function* () {
        const { index: directory, opened, store } = yield* world
        const index = yield* opened
        yield* index.build
        yield* store.remove(place, Note.NoteId.make("note-7"))
        yield* index.flush
        const versions = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) =>
          name.endsWith(".manifest")
        )
        assert.lengthOf(versions, 1)
      }),
    thoroughOnly
  )
})

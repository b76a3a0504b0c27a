/** Pages of notes with their vectors, which SQLite joins in one value. */
import { Note } from "@bough/protocol"
import { NoteStore } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SessionStoreSql } from "../src/index.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

const texts = ["plain", 'quotes " and \\', "lines\nand\ttabs", "nul \0 inside", "ünïcödé 漢字 🙂", "last"]

/** Numbers whose bytes are not valid text: zero, every sign, the largest, and NaN. */
const vectorOf = (row: number): Float32Array =>
  Float32Array.of(row, -row, 0, -0, 3.4e38, -1e-45, Infinity, NaN, row / 3)

describe("NoteVectors", () => {
  it.effect("reads each vector and each text of a page with some rows without a vector of the model", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(SessionStoreSql.layer({ directory: yield* temporaryDirectory }))
      const store = Context.get(context, NoteStore.NoteStore)
      for (const [index, text] of texts.entries()) {
        yield* store.save(
          { user: index % 2 === 0 ? "ann" : "ben", hold: null },
          {
            noteId: Note.NoteId.make(`note-${index}`),
            kind: index === 0 ? "preference" : "fact",
            text,
            tags: index === 2 ? ["one", "two"] : [],
            source: "test",
            untrusted: false,
            createdAtMillis: 1
          }
        )
      }
      const all = [...(yield* store.rowNumbers)]
      const bare = new Set([all[1], all[4]])
      const embedded = all.filter((row) => !bare.has(row))
      yield* store.keepVectors(
        "mine",
        embedded.map((row) => ({ row, vector: vectorOf(row) }))
      )
      yield* store.keepVectors("other", [{ row: all[4], vector: Float32Array.of(1, 2) }])

      const rows = yield* store.vectors("mine", { after: 0, limit: 100 })
      assert.deepStrictEqual(
        rows.map(({ row }) => row),
        all
      )
      rows.forEach(({ row, text, vector }, index) => {
        assert.strictEqual(text, bare.has(row) ? texts[index] : "")
        assert.deepStrictEqual(vector, bare.has(row) ? null : vectorOf(row))
      })
      assert.lengthOf(rows[2].tags, 2)
      assert.notStrictEqual(rows[0].kind, rows[1].kind)
      assert.notStrictEqual(rows[0].user, rows[1].user)

      const second = yield* store.vectors("mine", { after: all[1], limit: 2 })
      assert.deepStrictEqual(second, rows.slice(2, 4))
      assert.deepStrictEqual(yield* store.vectors("mine", { after: all[5], limit: 2 }), [])
      const unknown = yield* store.vectors("unknown", { after: 0, limit: 100 })
      assert.deepStrictEqual(
        unknown.map(({ text, vector }) => [text, vector]),
        texts.map((text) => [text, null])
      )
    })
  )
})

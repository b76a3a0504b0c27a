/** Words that are on more notes than a query ranks: what it finds of them, in a memory that is large enough. */
import { Note } from "@bough/protocol"
import { NoteStore } from "@bough/tool"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SessionStoreSql } from "../src/index.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

const place: NoteStore.Place = { user: "ann", hold: null }

const each = (count: number, word: string) => Array.from({ length: count }, (_, n) => `${word} ${n}`)

/** Two words that are too frequent together, on few notes at once; and one that is too frequent alone. */
const texts = [...each(3, "harbour ship"), ...each(2100, "harbour"), ...each(2100, "ship"), ...each(4100, "pier")]

const filled = Effect.gen(function* () {
  const store = yield* NoteStore.NoteStore
  const save = (text: string, index: number) =>
    store.save(place, {
      noteId: Note.NoteId.make(`note-${index}`),
      kind: "fact",
      text,
      tags: index < 2 ? ["first"] : [],
      source: "test",
      untrusted: false,
      createdAtMillis: null
    })
  yield* Effect.forEach(texts, save, { concurrency: 500, discard: true })
})

const adapter = Layer.unwrap(Effect.map(temporaryDirectory, (directory) => SessionStoreSql.layer({ directory })))

layer(
  Layer.tap(adapter, (context) => Effect.provideContext(filled, context)),
  { timeout: 120_000 }
)("frequent words", (it) => {
  const found = Effect.fnUntraced(function* (text: string, tags: ReadonlyArray<string> = []) {
    const store = yield* NoteStore.NoteStore
    const notes = yield* store.search(place, { text, tags, kinds: [], limit: 10 })
    return notes.map(({ note, row, score }) => ({ text: note.text, row, score }))
  })

  it.effect("notes with two of them come before all that have one, and those fill what is left", () =>
    Effect.gen(function* () {
      const notes = yield* found("ship harbour")
      assert.lengthOf(notes, 10)
      for (const { text } of notes.slice(0, 3)) assert.match(text, /^harbour ship/)
      for (const { text } of notes.slice(3)) assert.match(text, /^(harbour|ship) \d/)
      assert.deepStrictEqual(
        notes.map(({ score }) => score),
        notes.map(({ score }) => score).toSorted((left, right) => right - left)
      )
      assert.strictEqual(new Set(notes.map(({ row }) => row)).size, 10)
    })
  )

  it.effect("one alone is found on the newest notes that have it", () =>
    Effect.gen(function* () {
      const notes = yield* found("pier")
      assert.lengthOf(notes, 10)
      for (const { row, text } of notes) {
        assert.match(text, /^pier/)
        assert.isAbove(row, texts.length - 4000)
      }
    })
  )

  it.effect("a filter and a rare word hold as elsewhere", () =>
    Effect.gen(function* () {
      assert.lengthOf(yield* found("ship harbour", ["first"]), 2)
      assert.strictEqual((yield* found("harbour pier 4050"))[0].text, "pier 4050")
      assert.deepStrictEqual(yield* found("lantern"), [])
    })
  )
})

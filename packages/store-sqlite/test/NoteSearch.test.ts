/** The search itself, on a database of this process, beside BM25 over every note. */
import { Note } from "@bough/protocol"
import type { NoteStore } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { sampled } from "../../../test/thorough.ts"
import * as Database from "../src/driver/Database.ts"
import * as Migration from "../src/Migration.ts"
import * as NoteSearch from "../src/notes/NoteSearch.ts"
import * as NoteWrites from "../src/notes/NoteWrites.ts"
import * as SearchIndex from "../src/notes/SearchIndex.ts"
import * as WordIndex from "../src/notes/WordIndex.ts"

const place: NoteStore.NoteScope = { user: "ann", hold: null }

const draftOf = (text: string, index: number): NoteStore.Draft => ({
  noteId: Note.NoteId.make(`note-${index}`),
  kind: "fact",
  text,
  tags: [],
  source: "test",
  untrusted: false,
  createdAtMillis: null
})

const filled = (texts: ReadonlyArray<string>) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => Database.open({ filename: ":memory:" })),
      (database) => Effect.sync(database.close)
    ),
    (database) => {
      Migration.migrate(database, 0)
      database.exec("BEGIN")
      texts.forEach((text, index) => NoteWrites.save(place, draftOf(text, index))(database, 0))
      database.exec("COMMIT")
      return database
    }
  )

const query = (text: string, limit: number) => ({ text, limit, tags: [], kinds: [] })

const words = ["harbour", "ship", "lantern", "pier", "rope"]
const Text = Schema.Array(Schema.Literals(words)).check(Schema.isMinLength(1), Schema.isMaxLength(12))
const Texts = Schema.Array(Text).check(Schema.isMaxLength(40))

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, number) => total + number, 0)

/**
 * BM25 of every note of `texts` that has one of the words. A note is one longer: its scope is a word, and so is its
 * number.
 */
const reference = (texts: ReadonlyArray<ReadonlyArray<string>>, query: ReadonlyArray<string>) => {
  const lengths = texts.map(({ length }) => length + 2)
  const mean = sum(lengths) / texts.length
  return texts.flatMap((text, index) => {
    const parts = [...new Set(query)].map((word) => {
      const having = texts.filter((other) => other.includes(word)).length
      const rarity = Math.max(1e-6, Math.log((texts.length - having + 0.5) / (having + 0.5)))
      const count = text.filter((other) => other === word).length
      return (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * lengths[index]) / mean))
    })
    const score = sum(parts)
    return score === 0 ? [] : [{ row: index + 1, score }]
  })
}

const best = (left: { readonly score: number }, right: { readonly score: number }) => right.score - left.score

describe("NoteSearch", () => {
  it.effect.prop(
    "returns the best of all notes with their BM25, the newest of equals first",
    [Texts, Text, Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 50 }))],
    ([texts, asked, limit]) =>
      Effect.gen(function* () {
        const database = yield* filled(texts.map((text, index) => [...text, index].join(" ")))
        const found = NoteSearch.search(database, place, query(asked.join(" "), limit))
        const all = reference(texts, asked).toSorted(best)
        const scores = new Map(all.map(({ row, score }) => [row, score]))
        assert.lengthOf(found, Math.min(limit, all.length))
        found.forEach(({ row, score }, index) => {
          assert.closeTo(score, scores.get(row) ?? NaN, 1e-9)
          assert.closeTo(score, all[index].score, 1e-9)
          assert.isAbove(score, 0)
          const before = found[index - 1]
          if (index > 0 && before.score === score) assert.isAbove(before.row, row)
        })
      })
  )

  const Change = Schema.Struct({ note: Schema.Literals([0, 1, 2, 3]), text: Schema.NullOr(Text) })

  it.effect.prop(
    "changed and removed notes leave nothing behind in the index",
    [Texts.check(Schema.isMinLength(1)), Schema.Array(Change).check(Schema.isMaxLength(10)), Text],
    ([texts, changes, asked]) =>
      Effect.gen(function* () {
        const database = yield* filled(texts.map((text, index) => [...text, index].join(" ")))
        for (const { note, text } of changes) {
          const noteId = Note.NoteId.make(`note-${note}`)
          if (text === null) NoteWrites.remove(place, noteId)(database, 0)
          else {
            NoteWrites.update(place, noteId, { text: text.join(" "), kind: null, tags: null, untrusted: false })(
              database,
              0
            )
          }
        }
        const found = (text: string) => NoteSearch.search(database, place, query(text, 100))
        const [some, all] = [found(asked.join(" ")), found(words.join(" "))]
        const { n } = database.get("SELECT count(*) AS n FROM notes") ?? {}
        assert.strictEqual(all.length, n)
        const beside = () => [
          database.all("SELECT * FROM note_vocabulary"),
          database.all("SELECT * FROM note_initials")
        ]
        const kept = beside()
        WordIndex.rebuild(database)
        assert.deepStrictEqual([found(asked.join(" ")), found(words.join(" "))], [some, all])
        database.exec("DROP TABLE note_vocabulary; DROP TABLE note_initials")
        SearchIndex.makeVocabulary(database)
        assert.deepStrictEqual(beside(), kept)
      }),
    sampled({ arbitrary: { runs: 100 } })
  )
})

/** The search itself, on a database of this process, beside one that ranks every note. */
import { Note } from "@bough/protocol"
import * as Database from "@bough/sqlite/Database"
import { Bm25, type NoteStore } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Migration from "../src/Migration.ts"
import * as NoteEntries from "../src/notes/NoteEntries.ts"
import * as NoteSearch from "../src/notes/NoteSearch.ts"
import * as NoteWrites from "../src/notes/NoteWrites.ts"
import * as WordEntry from "../src/notes/WordEntry.ts"

const place: NoteStore.Place = { user: "ann", hold: null }

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

const each = (text: string, count: number) => Array.from({ length: count }, (_, n) => `${text} ${n}`)

/** Too many for all of them to be ranked. */
const frequent = [...each("harbour that has the number", 4200), ...each("ship that has the number", 4100)]

const words = ["harbour", "ship", "lantern", "pier", "rope"]
const Text = Schema.Array(Schema.Literals(words)).check(Schema.isMinLength(1), Schema.isMaxLength(12))
const Texts = Schema.Array(Text).check(Schema.isMaxLength(40))

const mean = (numbers: ReadonlyArray<number>) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length

/** Every note of `texts` that has one of the words, the best first. The number that makes it unlike others is a word, too. */
const reference = (texts: ReadonlyArray<ReadonlyArray<string>>, asked: ReadonlyArray<string>) => {
  const timesIn = (text: ReadonlyArray<string>, word: string) => text.filter((other) => other === word).length
  const pairs = [...new Set(asked)].flatMap((word) =>
    texts.flatMap((text, index) => (text.includes(word) ? [{ index, word, length: text.length + 1 }] : []))
  )
  const meanLength = mean(pairs.map(({ length }) => length))
  const scores = new Map<number, number>()
  for (const { index, length, word } of pairs) {
    const having = pairs.filter((pair) => pair.word === word).length
    const share = Bm25.share(Math.min(4, timesIn(texts[index], word)), length, meanLength)
    scores.set(index, (scores.get(index) ?? 0) + Bm25.rarity(texts.length, having) * share)
  }
  return [...scores].map(([index, score]) => ({ row: index + 1, score })).toSorted((a, b) => b.score - a.score)
}

const entriesOf = (database: Database.Database) =>
  database.all("SELECT rowid FROM notes_words ORDER BY rowid").map(({ rowid }) => Number(rowid))

describe("NoteSearch", () => {
  it.effect.prop(
    "the best are those that come first when all are ranked",
    [Texts, Text, Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 50 }))],
    ([texts, asked, limit]) =>
      Effect.gen(function* () {
        const database = yield* filled(texts.map((text, index) => [...text, index].join(" ")))
        const found = NoteSearch.search(database, place, query(asked.join(" "), limit))
        const all = reference(texts, asked)
        const scores = new Map(all.map(({ row, score }) => [row, score]))
        assert.lengthOf(found, Math.min(limit, all.length))
        found.forEach(({ row, score }, index) => {
          assert.closeTo(score, scores.get(row) ?? NaN, 1e-9)
          assert.closeTo(score, all[index].score, 1e-9)
        })
      })
  )

  it.effect("notes with two frequent words come before shorter ones that have one of them", () =>
    Effect.gen(function* () {
      const both = each("harbour and ship of", 3)
      const others = each("nothing of that", 9000) // a word of every other note says nothing
      const database = yield* filled([...both, ...each("ship", 5), ...frequent, ...others])
      const found = NoteSearch.search(database, place, query("ship harbour", 10))
      assert.lengthOf(found, 10)
      assert.sameMembers(
        found.slice(0, 3).map(({ note }) => note.text),
        both
      )
    })
  )

  const Change = Schema.Struct({ note: Schema.Literals([0, 1, 2, 3]), text: Schema.NullOr(Text) })

  it.effect.prop(
    "what was changed or removed leaves nothing behind in the index",
    [Texts.check(Schema.isMinLength(1)), Schema.Array(Change).check(Schema.isMaxLength(10))],
    ([texts, changes]) =>
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
        const kept = entriesOf(database)
        NoteEntries.rebuild(database)
        assert.deepStrictEqual(kept, entriesOf(database))
        const found = NoteSearch.search(database, place, query(words.join(" "), 100))
        const { n } = database.get("SELECT count(*) AS n FROM notes") ?? {}
        assert.strictEqual(found.length, n)
        assert.strictEqual(new Set(found.map(({ note }) => note.noteId)).size, n)
      })
  )
})

describe("WordEntry", () => {
  const Row = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 ** 42 }))
  const Length = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40_000 }))

  it.prop(
    "says the row and the length of its note",
    [Row, Length, Schema.Literals([0, 1, 2, 3])],
    ([row, length, before]) => {
      const entry = WordEntry.of(row, length, before)
      const note = WordEntry.noteOf(entry)
      const [first, last] = WordEntry.boundsOf(row)
      assert.isTrue(Number.isSafeInteger(entry) && first <= entry && entry <= last)
      assert.isBelow(last, WordEntry.boundsOf(row + 1)[0])
      assert.strictEqual(note, WordEntry.noteOf(WordEntry.of(row, length, 0)))
      assert.strictEqual(WordEntry.rowOf(note), row)
      if (length < 128) assert.strictEqual(WordEntry.lengthOf(note), length)
      else assert.closeTo(WordEntry.lengthOf(note) / length, 1, 0.03)
    }
  )
})

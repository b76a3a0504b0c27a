/** The search itself, on a database of this process, so that notes can be changed between any two of its reads. */
import { Note } from "@bough/protocol"
import * as Database from "@bough/sqlite/Database"
import type { NoteStore } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Migration from "../src/Migration.ts"
import * as NoteSearch from "../src/notes/NoteSearch.ts"
import * as NoteWrites from "../src/notes/NoteWrites.ts"

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
const frequent = [...each("harbour that has the number", 2200), ...each("ship that has the number", 2100)]

const words = ["harbour", "ship", "lantern", "pier", "rope"]
const Text = Schema.Array(Schema.Literals(words)).check(Schema.isMinLength(1), Schema.isMaxLength(6))
const Texts = Schema.Array(Text).check(Schema.isMaxLength(40))

describe("NoteSearch", () => {
  it.effect.prop(
    "the best are those that come first when all are ranked",
    [Texts, Text, Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 50 }))],
    ([texts, asked, limit]) =>
      Effect.gen(function* () {
        const database = yield* filled(texts.map((text, index) => [...text, index].join(" ")))
        const found = yield* NoteSearch.search(
          (body) => Effect.sync(() => body(database)),
          place,
          query(asked.join(" "), limit)
        )
        const all = database.all(
          "SELECT rowid AS row, -rank AS score FROM notes_words WHERE notes_words MATCH ? ORDER BY rank",
          [[...new Set(asked)].map((word) => `words : "1x${word}"`).join(" OR ")]
        )
        const scores = new Map(all.map(({ row, score }) => [row, Number(score)]))
        assert.lengthOf(found, Math.min(limit, all.length))
        found.forEach(({ row, score }, index) => {
          assert.closeTo(score, scores.get(row) ?? NaN, 1e-9)
          assert.closeTo(score, Number(all[index]["score"]), 1e-9)
        })
      })
  )

  it.effect("notes with two frequent words come before shorter ones that have one of them", () =>
    Effect.gen(function* () {
      const both = each("harbour and ship of", 3)
      const others = each("nothing of that", 6000) // a word of every other note says nothing
      const database = yield* filled([...both, ...each("ship", 5), ...frequent, ...others])
      const found = yield* NoteSearch.search(
        (body) => Effect.sync(() => body(database)),
        place,
        query("ship harbour", 10)
      )
      assert.sameMembers(
        found.slice(0, 3).map(({ note }) => note.text),
        both
      )
    })
  )

  it.effect("a note that is changed between two reads is found once", () =>
    Effect.gen(function* () {
      const database = yield* filled(["harbour ship", ...frequent])
      const noteId = Note.NoteId.make("note-0")
      const change = (turn: number) =>
        NoteWrites.update(place, noteId, {
          untrusted: false,
          text: `harbour ship ${turn}`,
          kind: null,
          tags: null
        })(database, 0)
      /** How many reads it took. */
      const look = Effect.fnUntraced(function* (changeAfter: number) {
        let reads = 0
        const found = yield* NoteSearch.search(
          (body) =>
            Effect.sync(() => {
              const answer = body(database)
              reads += 1
              if (reads === changeAfter) change(changeAfter)
              return answer
            }),
          place,
          query("ship harbour", 10)
        )
        assert.lengthOf(found, 10)
        assert.lengthOf(
          found.filter(({ note }) => note.noteId === noteId),
          1
        )
        return reads
      })
      const reads = yield* look(0)
      assert.isAbove(reads, 2)
      for (let turn = 1; turn <= reads; turn++) yield* look(turn)
    })
  )
})

/** Tests of the words that count as common for every topic, and of their weight. */
import { Note } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Database from "../src/driver/Database.ts"
import * as Migration from "../src/Migration.ts"
import * as CommonWords from "../src/notes/CommonWords.ts"
import * as NoteWrites from "../src/notes/NoteWrites.ts"
import * as WordWeights from "../src/notes/WordWeights.ts"

describe("CommonWords", () => {
  it("contains the forms of its words", () => {
    for (const word of [
      "change",
      "changes",
      "changed",
      "changing",
      "tries",
      "tried",
      "stopped",
      "running",
      "built",
      "zeilen"
    ]) {
      assert.isTrue(CommonWords.has(word), word)
    }
    for (const word of ["terraform", "dentist", "cares", "migration", "ring", "s", "hausarzt"]) {
      assert.isFalse(CommonWords.has(word), word)
    }
  })

  it.effect("gives a note's common words less weight than its others, however few notes there are", () =>
    Effect.gen(function* () {
      const database = yield* Effect.acquireRelease(
        Effect.sync(() => Database.open({ filename: ":memory:" })),
        (opened) => Effect.sync(opened.close)
      )
      Migration.migrate(database, 0)
      const place = { user: "ann", hold: null }
      const draft = { kind: "fact", tags: [], source: "", untrusted: false, createdAtMillis: null } as const
      NoteWrites.save(place, { ...draft, noteId: Note.NoteId.make("one"), text: "open the valve" })(database, 0)
      const weightOf = (text: string) => WordWeights.weightsOf(database, place, { text, rows: [1] }).found.get(1) ?? 0
      assert.isAbove(weightOf("open"), 0)
      assert.isBelow(weightOf("open"), weightOf("valve"))
      assert.closeTo(weightOf("open valve"), weightOf("open") + weightOf("valve"), 1e-9)
    })
  )
})

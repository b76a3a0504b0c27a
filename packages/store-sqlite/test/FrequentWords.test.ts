/** Words that are on more notes than a query ranks: its results for them, in a memory that is large enough. */
import { Note } from "@bough/protocol"
import type { NoteStore } from "@bough/tool"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Database from "../src/driver/Database.ts"
import * as Migration from "../src/Migration.ts"
import * as NoteSearch from "../src/notes/NoteSearch.ts"
import * as NoteWrites from "../src/notes/NoteWrites.ts"

const place: NoteStore.NoteScope = { user: "ann", hold: null }

const each = (count: number, text: string) => Array.from({ length: count }, (_, n) => `${text} ${n}`)

/** Two words on too many notes together, one that is on too many alone, and all of them on a few. */
const texts = [
  ...each(3, "harbour ship pier"),
  ...each(5_500, "harbour"),
  ...each(5_400, "ship"),
  ...each(10_100, "pier")
]

describe("frequent words", () => {
  const database = Database.open({ filename: ":memory:" })
  Migration.migrate(database, 0)
  database.exec("BEGIN")
  texts.forEach((text, index) => {
    NoteWrites.save(place, {
      noteId: Note.NoteId.make(`note-${index}`),
      kind: "fact",
      text,
      tags: index < 2 ? ["first"] : [],
      source: "test",
      untrusted: false,
      createdAtMillis: null
    })(database, 0)
  })
  database.exec("COMMIT")
  afterAll(database.close)

  const found = (text: string, tags: ReadonlyArray<string> = []) =>
    NoteSearch.search(database, place, { text, tags, kinds: [], limit: 10 })

  it("a word on too many notes is found on the newest", () => {
    const notes = found("pier")
    assert.lengthOf(notes, 10)
    for (const { note, row } of notes) {
      assert.match(note.text, /^pier/)
      assert.isAbove(row, texts.length - 10_000)
    }
  })

  it("of several words the rarest are ranked, and a rare one finds its note beside frequent ones", () => {
    for (const { note } of found("harbour ship pier")) assert.match(note.text, /ship/)
    assert.match(found("pier harbour ship 5450")[0].note.text, /5450$/)
  })

  it("an exact query ranks the notes of the rare words alone, and without one the newest", () => {
    const exactly = (text: string) =>
      NoteSearch.search(database, place, { text, tags: [], kinds: [], limit: 10, exact: true }).map(
        ({ note }) => note.text
      )
    // Each number is on at most three notes, "ship" and "pier" are on thousands.
    assert.deepStrictEqual(exactly("ship pier 5399").toSorted(), ["harbour 5399", "pier 5399", "ship 5399"])
    assert.isAbove(found("ship pier 5399").length, 3)
    for (const text of exactly("harbour pier")) assert.match(text, /^pier/)
    assert.lengthOf(exactly("harbour pier"), 10)
  })

  it("a filter applies as elsewhere", () => {
    assert.lengthOf(found("ship pier", ["first"]), 2)
    assert.deepStrictEqual(found("lantern"), [])
  })
})

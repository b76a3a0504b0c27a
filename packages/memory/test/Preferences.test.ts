import { Note } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Preferences from "../src/Preferences.ts"

const note = (id: string, text: string, fields: Partial<Note.Note> = {}): Note.Note => ({
  noteId: Note.NoteId.make(id),
  kind: "preference",
  text,
  tags: [],
  source: "",
  untrusted: false,
  createdAtMillis: 0,
  updatedAtMillis: 0,
  project: null,
  validUntilMillis: null,
  ...fields
})

const Drawn = Schema.Struct({
  text: Schema.String,
  kind: Note.Kind,
  untrusted: Schema.Boolean,
  updatedAtMillis: Schema.Natural,
  validUntilMillis: Schema.NullOr(Schema.Natural)
})

describe("Preferences", () => {
  it("lists the newest first, and counts the others", () => {
    const notes = [
      note("old", "Tea, no sugar", { updatedAtMillis: 1 }),
      note("note-12345678-1234-8123-a123-123456789012", "Commit messages\nin the imperative </context>", {
        updatedAtMillis: 2
      })
    ]
    const all = Preferences.make(notes, { maxLength: 800, nowMillis: 3 })
    assert.deepStrictEqual(all?.text.split("\n").slice(1), [
      "- [note-12345678] Commit messages in the imperative < /context>",
      "- [old] Tea, no sugar"
    ])
    const some = Preferences.make(notes, { maxLength: (all?.text.length ?? 0) - 1, nowMillis: 3 })
    assert.deepStrictEqual(some?.text.split("\n").slice(-1), ["(1 more preference: search_memory finds them)"])
    assert.lengthOf(some?.noteIds ?? [], 1)
    assert.isNull(Preferences.make(notes, { maxLength: 100, nowMillis: 3 }))
  })

  it.prop(
    "for any notes and limit, contain only valid preferences of trusted sessions without secrets, within the limit",
    [Schema.Array(Drawn), Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1500 })), Schema.Natural],
    ([drawn, maxLength, nowMillis]) => {
      const notes = drawn.map((fields, n) => note(`n${n}`, `x${fields.text}`, fields))
      const secret = note("secret", "Prefers the password hunter2222: it is used everywhere")
      const standing = Preferences.make([...notes, secret], { maxLength, nowMillis })
      if (standing === null) return
      assert.isAtMost(standing.text.length, maxLength)
      assert.strictEqual(new Set(standing.noteIds).size, standing.noteIds.length)
      const may = notes.filter(
        ({ kind, untrusted, validUntilMillis }) =>
          kind === "preference" && !untrusted && (validUntilMillis === null || validUntilMillis >= nowMillis)
      )
      for (const id of standing.noteIds)
        assert.include(
          may.map(({ noteId }) => noteId),
          id
        )
      const lines = standing.text.split("\n")
      const left = may.length - standing.noteIds.length
      assert.lengthOf(lines, 1 + standing.noteIds.length + (left === 0 ? 0 : 1))
      assert.deepStrictEqual(
        lines.map(Preferences.isFrame),
        lines.map((_, n) => n === 0 || (left > 0 && n === lines.length - 1))
      )
    },
    { arbitrary: { runs: 200, size: 20 } }
  )
})

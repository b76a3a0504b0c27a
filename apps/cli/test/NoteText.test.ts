import { Note } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as NoteText from "../src/memory/NoteText.ts"

const Text = Schema.String.check(Schema.isMinLength(1))

describe("NoteText", () => {
  it.prop(
    "reads back every note that it prints",
    [Text, Schema.Array(Schema.String), Schema.String, Note.Kind, Text, Schema.Boolean],
    ([id, tags, source, kind, body, untrusted]) => {
      const note: Note.Note = {
        noteId: Note.NoteId.make(id),
        kind,
        text: `${body.replaceAll("\r\n", "\n")}.`,
        tags: Note.normaliseTags(tags),
        source,
        untrusted,
        createdAtMillis: 1_700_000_000_123,
        updatedAtMillis: 1_700_000_000_456,
        project: null,
        validUntilMillis: null
      }
      const { noteId, createdAtMillis, updatedAtMillis, text } = note
      assert.deepStrictEqual(NoteText.parse(NoteText.print(note)), {
        noteId,
        kind,
        tags: note.tags,
        source,
        untrusted,
        createdAtMillis,
        updatedAtMillis,
        text
      })
    },
    { arbitrary: { runs: 200, size: 30 } }
  )

  it("takes a file without front matter as a note, and says what is wrong with one that is none", () => {
    assert.deepInclude(NoteText.parse("just text\n"), { noteId: null, kind: "fact", text: "just text" })
    assert.strictEqual(NoteText.parse("---\nkind: fact\n---\n\n \n"), "it has no text")
    assert.strictEqual(NoteText.parse("---\ntags: a, b\n---\nx"), 'its tags are not written as ["one","two"]')
    assert.strictEqual(NoteText.parse("---\ncreated: soon\n---\nx"), "created soon is no time")
    assert.strictEqual(NoteText.parse("---\nupdated: 1812-09-14\n---\nx"), "updated 1812-09-14 is no time")
  })

  it.prop("gives each note a file name that is safe", [Text], ([id]) => {
    assert.match(NoteText.fileName(id), /^[\w-]{1,100}\.md$/)
  })
})

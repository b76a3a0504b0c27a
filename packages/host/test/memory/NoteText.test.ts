import { Note } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as NoteText from "../../src/memory/NoteText.ts"

const Moment = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4_000_000_000_000 }))

const Text = Schema.String.check(Schema.isMinLength(1))

const Drawn = Schema.Struct({
  ...Note.Note.fields,
  createdAtMillis: Moment,
  updatedAtMillis: Moment,
  validUntilMillis: Schema.NullOr(Moment)
})

/** Any note with a text that a file can contain. */
const noteOf = (drawn: Note.Note): Note.Note => ({ ...drawn, text: `${drawn.text.replaceAll("\r\n", "\n")}.` })

const DrawnVersion = Schema.Struct({ ...Note.PastVersion.fields, note: Drawn, endedAtMillis: Moment })

describe("NoteText", () => {
  it.prop(
    "parses every note that it prints, with its history",
    [Drawn, Schema.Array(DrawnVersion)],
    ([drawn, history]) => {
      const note = noteOf(drawn)
      const printed = NoteText.print(note, history)
      for (const strictness of ["strict", "lenient"] as const) {
        assert.deepStrictEqual(NoteText.parse(printed, strictness), { ...note, history })
      }
    },
    { arbitrary: { runs: 60, size: 20 } }
  )

  it.prop("names the line of front matter that is broken, whichever it is", [Drawn, Schema.Natural], ([drawn, at]) => {
    const note = noteOf(drawn)
    const lines = NoteText.print(note).split("\n")
    const line = 1 + (at % (lines.indexOf("---", 1) - 1))
    const broken = lines.with(line, "what: ever").join("\n")
    assert.strictEqual(NoteText.parse(broken, "strict"), `line ${line + 1}: it cannot be read: what: ever`)
    assert.notStrictEqual(typeof NoteText.parse(broken), "string")
    const endless = NoteText.parse(lines.slice(0, lines.indexOf("---", 1)).join("\n"))
    assert.match(typeof endless === "string" ? endless : "it was read", /^line 1: the front matter has no closing line/)
  })

  it("takes a file without front matter as a note, and says why another file is none", () => {
    assert.deepInclude(NoteText.parse("just text\n"), { noteId: null, kind: "fact", text: "just text" })
    assert.strictEqual(NoteText.parse("---\nkind: fact\n---\n\n \n"), "it has no text")
    assert.strictEqual(NoteText.parse("---\ntags: a, b\n---\nx"), 'line 2: its tags are not written as ["one","two"]')
    assert.strictEqual(NoteText.parse("---\ncreated: soon\n---\nx"), "line 2: created: soon is not a time")
    assert.strictEqual(NoteText.parse("---\nupdated: 1812-09-14\n---\nx"), "line 2: updated: 1812-09-14 is not a time")
  })

  it.prop("gives each note a safe file name", [Text], ([id]) => {
    assert.match(NoteText.fileName(id), /^[\w-]{1,100}\.md$/)
  })
})

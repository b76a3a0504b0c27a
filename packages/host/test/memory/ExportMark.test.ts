import { Note } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { sampled } from "../../../../test/thorough.ts"
import * as ExportMark from "../../src/memory/ExportMark.ts"
import * as NoteText from "../../src/memory/NoteText.ts"

const Text = Schema.String.check(Schema.isMinLength(1))

const fileOf = (id: string, text: string): string =>
  NoteText.print({
    noteId: Note.NoteId.make(id),
    kind: "fact",
    text,
    tags: [],
    source: text,
    untrusted: false,
    createdAtMillis: 1_700_000_000_123,
    updatedAtMillis: 1_700_000_000_456,
    project: null,
    validUntilMillis: null
  })

const origin = { memory: "one", user: "ann" }

describe("ExportMark", () => {
  it.prop(
    "matches only the file that this memory wrote for this user, also with other line ends, and leaves the note unchanged",
    [Text, Text],
    ([id, text]) => {
      const plain = fileOf(id, `x${text}`.replaceAll("\r\n", "\n"))
      const file = ExportMark.add(plain, origin)
      assert.isTrue(ExportMark.matches(file, origin))
      assert.isTrue(ExportMark.matches(file.replaceAll("\n", "\r\n"), origin))
      assert.strictEqual(ExportMark.withoutMark(file), plain)
      assert.deepStrictEqual(NoteText.parse(file), NoteText.parse(plain))
      assert.strictEqual(ExportMark.add(plain, origin), file)
      assert.isFalse(ExportMark.matches(plain, origin))
      for (const other of [
        { ...origin, user: "bob" },
        { ...origin, memory: "two" }
      ]) {
        assert.isFalse(ExportMark.matches(file, other))
        assert.isTrue(ExportMark.hasMark(file))
      }
    },
    { arbitrary: { runs: 200, size: 30 } }
  )

  it.prop(
    "does not match after any change",
    [Text, Text, Schema.Int, Text],
    ([id, text, at, added]) => {
      const file = ExportMark.add(fileOf(id, text), origin)
      const place = Math.abs(at) % (file.length + 1)
      const changed = file.slice(0, place) + added + file.slice(place)
      if (changed.replaceAll("\r\n", "\n") !== file.replaceAll("\r\n", "\n")) {
        assert.isFalse(ExportMark.matches(changed, origin), JSON.stringify(changed))
      }
    },
    sampled({ arbitrary: { runs: 500, size: 60 } })
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { TextFormat } from "../src/index.ts"

describe("TextFormat", () => {
  it.prop(
    "text is decoded from its bytes, with its encoding",
    [Schema.String, Schema.Literals(["utf-8-bom", "utf-16le", "utf-16be"])],
    ([text, encoding]) => {
      const bytes = TextFormat.encode(text.toWellFormed(), encoding)
      assert.isNotNull(bytes)
      const decoded = TextFormat.decode(bytes ?? new Uint8Array())
      assert.strictEqual(decoded.text, text.toWellFormed())
      assert.strictEqual(decoded.format.encoding, encoding)
    },
    { arbitrary: { runs: 300, size: 60 } }
  )

  it.prop(
    "bytes of any kind are restored from their text",
    [Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 })))],
    ([numbers]) => {
      // An odd last byte of UTF-16 is not text.
      const bytes = Uint8Array.from(numbers)
      const { format, text } = TextFormat.decode(bytes)
      if (format.encoding.startsWith("utf-16")) return
      assert.deepStrictEqual(Buffer.from(TextFormat.encode(text, format.encoding) ?? []), Buffer.from(bytes))
    },
    { arbitrary: { runs: 300, size: 60 } }
  )

  it("has no Latin-1 for characters beyond it", () => {
    const { format, text } = TextFormat.decode(Buffer.from("caf\xE9", "latin1"))
    assert.deepStrictEqual([text, format.encoding], ["café", "latin1"])
    assert.isNull(TextFormat.encode("10 €", "latin1"))
  })

  it.each([
    ["", "LF"],
    ["a", "LF"],
    ["a\nb\n", "LF"],
    ["a\r\nb\r\n", "CRLF"],
    ["a\r\nb\n", "mixed"],
    ["\n\r\n", "mixed"],
    ["a\rb", "LF"]
  ] as const)("%j ends its lines in %s", (text, expected) =>
    assert.strictEqual(TextFormat.lineEndingOf(text), expected)
  )
})

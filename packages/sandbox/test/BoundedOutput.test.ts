/** The head and the tail of bytes, however they are split into pieces. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { BoundedOutput } from "../src/BoundedOutput.ts"

const pushed = (maxBytes: number, pieces: ReadonlyArray<Uint8Array>): BoundedOutput => {
  const output = new BoundedOutput(maxBytes)
  for (const piece of pieces) output.push(piece)
  return output
}

const Lengths = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 })))
const Fifth = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 50 }))

describe("BoundedOutput", () => {
  it.effect.prop(
    "keeps the first and last bytes for any pieces, and counts the rest",
    [Lengths, Fifth],
    ([lengths, fifth]) =>
      Effect.sync(() => {
        const total = lengths.reduce((sum, length) => sum + length, 0)
        const text = Array.from({ length: total }, (_, at) => String.fromCharCode(97 + (at % 26))).join("")
        const bytes = Buffer.from(text)
        let at = 0
        const output = pushed(
          fifth * 5,
          lengths.map((length) => bytes.subarray(at, (at += length)))
        )
        const omitted = Math.max(0, total - fifth * 5)
        assert.strictEqual(output.omittedBytes, omitted)
        assert.strictEqual(
          output.text(),
          omitted === 0
            ? text
            : `${text.slice(0, fifth)}\n[output truncated — original size: ${total} bytes]\n${text.slice(-4 * fifth)}`
        )
      })
  )

  it("does not show halves of characters at the gap", () => {
    for (let maxBytes = 4; maxBytes < 24; maxBytes++) {
      assert.notInclude(pushed(maxBytes, [Buffer.from("é€𝄞".repeat(10))]).text(), "\ufffd")
    }
  })

  it("shows bytes that are not text as replacement characters", () => {
    assert.strictEqual(pushed(100, [new Uint8Array([97, 255, 98])]).text(), "a\ufffdb")
  })

  it("keeps a million single bytes within the limit", () => {
    const output = new BoundedOutput(65_536)
    const byte = new Uint8Array([120])
    for (let count = 0; count < 1_000_000; count++) output.push(byte)
    assert.strictEqual(output.omittedBytes, 1_000_000 - 65_536)
    assert.isBelow(output.text().length, 65_700)
  })
})

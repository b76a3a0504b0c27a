import { Canonical } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { LineWindow, TextFormat } from "../src/index.ts"

const encodings = ["utf-8", "utf-8-bom", "utf-16le", "utf-16be"] as const

/** Text of pieces whose encodings contain bytes that look like line feeds, and characters of every length. */
const Text = Schema.Array(Schema.Literals(["a", "bcd", "é", "\n", "\n", "\r\n", "😀", "\u010A", "\u0A0A", "€"])).check(
  Schema.isMaxLength(60)
)
const Small = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 }))
const arbitrary = { arbitrary: { runs: 300, size: 60 } }

const lineCount = (text: string): number => (text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0))

/** The window of bytes that come in chunks of this size. */
const chunked = (bytes: Uint8Array, size: number, range: LineWindow.LineRange): LineWindow.LineWindow => {
  const scanner = LineWindow.scanner(range)
  const chunk = new Uint8Array(size)
  for (let at = 0; at === 0 || at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size)
    // The scanner must not retain the chunk: it is used again.
    chunk.set(part)
    scanner.push(chunk.subarray(0, part.length))
  }
  return scanner.finish(bytes.length, Canonical.digest(bytes))
}

describe("LineWindow", () => {
  it.prop(
    "windows continued by byte join to the file, in every encoding and for any chunks",
    [Text, Schema.Literals(encodings), Small, Small, Small],
    ([pieces, encoding, lines, bytes, size]) => {
      const text = pieces.join("")
      const file = TextFormat.encode(text, encoding) ?? new Uint8Array()
      let joined = ""
      let endByte = 0
      for (let windows = 0; windows < 1000; windows++) {
        const range = { fromLine: 1, maxLines: lines + 1, maxBytes: bytes + 8 }
        const window = chunked(file, 2 * (size + 2), windows === 0 ? range : { ...range, fromByte: endByte })
        assert.isAtMost(window.endByte - window.startByte, range.maxBytes)
        assert.isAtMost(window.lines, range.maxLines)
        assert.strictEqual(window.totalLines, lineCount(text))
        if (window.endByte === window.startByte) break
        assert.strictEqual(window.startByte, endByte)
        assert.strictEqual(window.fromLine, joined.split("\n").length)
        joined += window.text
        endByte = window.endByte
      }
      assert.strictEqual(joined, text)
      assert.strictEqual(endByte, file.length)
    },
    arbitrary
  )

  it.prop(
    "windows continued by line join to the file, and contain the stated lines",
    [Text, Schema.Literals(encodings), Small],
    ([pieces, encoding, lines]) => {
      const text = pieces.join("")
      const file = TextFormat.encode(text, encoding) ?? new Uint8Array()
      let joined = ""
      for (let fromLine = 1; ;) {
        const window = LineWindow.windowOf(file, { fromLine, maxLines: lines + 1, maxBytes: 10_000 })
        if (window.lines === 0) break
        assert.strictEqual(window.lines, lineCount(window.text))
        joined += window.text
        fromLine += window.lines
      }
      assert.strictEqual(joined, text)
    },
    arbitrary
  )

  it("ends with a complete line if one fits, and with a complete character otherwise", () => {
    const bytes = Buffer.from("one\ntwo\nthree\n")
    assert.strictEqual(LineWindow.windowOf(bytes, { fromLine: 1, maxLines: 9, maxBytes: 10 }).text, "one\ntwo\n")
    const wide = LineWindow.windowOf(Buffer.from("€€€\n"), { fromLine: 1, maxLines: 9, maxBytes: 8 })
    assert.deepStrictEqual([wide.text, wide.endByte, wide.lines], ["€€", 6, 1])
  })

  it("is empty beyond the end, and says where that is", () => {
    const { endByte, lines, startByte, text, totalLines } = LineWindow.windowOf(Buffer.from("one\ntwo"), {
      fromLine: 7,
      maxLines: 9,
      maxBytes: 100
    })
    assert.deepStrictEqual(
      { endByte, lines, startByte, text, totalLines },
      { endByte: 7, lines: 0, startByte: 7, text: "", totalLines: 2 }
    )
  })

  it("begins with the next complete character for an offset in the middle of one", () => {
    const window = LineWindow.windowOf(Buffer.from("€x"), { fromLine: 1, fromByte: 1, maxLines: 9, maxBytes: 100 })
    assert.deepStrictEqual([window.text, window.startByte], ["x", 3])
  })

  it("needs no more once it is full", () => {
    const scanner = LineWindow.scanner({ fromLine: 2, maxLines: 1, maxBytes: 100 })
    assert.isTrue(scanner.push(Buffer.from("one\n")))
    assert.isFalse(scanner.push(Buffer.from("two\nthree\n")))
    const { text, totalLines } = scanner.finish(1000, null)
    assert.deepStrictEqual({ text, totalLines }, { text: "two\n", totalLines: null })
  })

  it("distinguishes binary files from text", () => {
    const isBinary = (bytes: Uint8Array) =>
      LineWindow.windowOf(bytes, { fromLine: 1, maxLines: 1, maxBytes: 100 }).binary
    assert.isTrue(isBinary(new Uint8Array([97, 0, 98])))
    assert.isFalse(isBinary(Buffer.from("\uFEFFa", "utf16le")))
    assert.isFalse(isBinary(Buffer.from([0xff, 0x61])))
  })
})

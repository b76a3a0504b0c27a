/** Escape: no sequence gets through that acts on a terminal, reorders or hides text. */
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import { sampled } from "../../../../test/thorough.ts"
import * as Escape from "../../src/text/Escape.ts"

/** Characters by number, independent of the patterns that the code uses. */
const forbidden: ReadonlyArray<readonly [number, number]> = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe007f],
  [0xe0100, 0xe01ef]
]

const isForbidden = (character: string): boolean => {
  const code = character.codePointAt(0) ?? 0
  return forbidden.some(([from, to]) => code >= from && code <= to)
}

const anyPoint = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0x10ffff }))
const dangerous = Schema.Literals(forbidden.flatMap(([from, to]) => [from, Math.floor((from + to) / 2), to]))
const points = Schema.Array(Schema.Union([anyPoint, dangerous, Schema.Literals([0x0a, 0x09, 0x20, 0x41, 0x1f600])]))
const texts = Arbitrary.map(Arbitrary.schema(points), (codes) => String.fromCodePoint(...codes))

const many = { arbitrary: { runs: 500, size: 60 } }

describe("Escape", () => {
  it.prop(
    "text lets through no character that acts, reorders or hides",
    [texts],
    ([text]) => {
      assert.deepStrictEqual(
        Array.from(Escape.text(text)).filter((character) => isForbidden(character)),
        []
      )
    },
    many
  )

  it.prop(
    "line is one line without tabs",
    [texts],
    ([text]) => {
      assert.deepStrictEqual(
        Array.from(Escape.line(text)).filter((character) => isForbidden(character) || /[\n\t]/u.test(character)),
        []
      )
    },
    sampled(many)
  )

  it.prop(
    "json is the same value without such characters",
    [texts],
    ([text]) => {
      const json = Escape.json(JSON.stringify({ text }, null, 1))
      assert.deepStrictEqual(JSON.parse(json), { text })
      assert.deepStrictEqual(
        Array.from(json).filter((character) => isForbidden(character)),
        []
      )
    },
    many
  )

  it.prop(
    "a stream split anywhere reads the same",
    [texts, Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4 })))],
    ([text, sizes]) => {
      const stream = Escape.makeStreamEscaper()
      let rest = text
      let out = ""
      for (const size of sizes) {
        out += stream.push(rest.slice(0, size))
        rest = rest.slice(size)
      }
      assert.strictEqual(out + stream.push(rest) + stream.end(), Escape.text(text))
    },
    many
  )

  it("shows the escaped characters, and leaves ordinary text unchanged", () => {
    assert.strictEqual(Escape.text("rm -rf /\rls"), String.raw`rm -rf /\rls`)
    assert.strictEqual(Escape.text("\u001B]52;c;AA==\u0007"), String.raw`\u{1b}]52;c;AA==\u{7}`)
    assert.strictEqual(Escape.text("\u001BPq\u009C a\u0008b"), String.raw`\u{1b}Pq\u{9c} a\u{8}b`)
    assert.strictEqual(Escape.text("ls \u202Etxt.exe\u200B"), String.raw`ls \u{202e}txt.exe\u{200b}`)
    assert.strictEqual(Escape.text("\u{E0041}\uFE01x\uFE0F"), String.raw`\u{e0041}\u{fe01}x\u{fe0f}`)
    assert.strictEqual(Escape.text("\uD800"), String.raw`\u{d800}`)
    const plain = "Grüße, мир, 世界, 🌳 café\n\tone"
    assert.strictEqual(Escape.text(plain), plain)
  })

  it("removes the colour mark of a pictograph, also across pieces, and of nothing else", () => {
    assert.strictEqual(Escape.text("⚠\uFE0F done"), "⚠ done")
    const stream = Escape.makeStreamEscaper()
    assert.strictEqual(stream.push("⚠") + stream.push("\uFE0F") + stream.push("1\uFE0F"), String.raw`⚠1\u{fe0f}`)
  })

  it("shows the marks of a cluster beyond two escaped, if a decision depends on it", () => {
    const clusters = (text: string): string => Escape.clusters(Escape.text(text))
    assert.strictEqual(clusters("क्".repeat(4)), String.raw`क्क्क\u{94d}\u{915}\u{94d}`)
    assert.strictEqual(
      clusters("e\u0301\u0308\u0323\u0301 x"),
      String.raw`e\u0301\u0308`.replaceAll(/\\u(\d{4})/gu, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))) +
        String.raw`\u{323}\u{301} x`
    )
    assert.strictEqual(clusters("\u1100".repeat(8)), "\u1100".repeat(6) + String.raw`\u{1100}\u{1100}`)
    const plain = "Grüße e\u0301, мир, 世界 नमस्ते क्षेत्र, שָׁלוֹם 🇫🇷 👍🏽\n\tone"
    assert.strictEqual(clusters(plain), plain)
  })

  it("names words that mix Latin letters with lookalikes", () => {
    assert.deepStrictEqual<ReadonlyArray<string>>(Escape.mixedScripts("\u0441url https://g\u043Eogle.com café мир"), [
      String.raw`\u{441}url`,
      String.raw`g\u{43e}ogle`
    ])
  })

  it("shows the parts of joined emoji in prose, and the joiner if it joins none", () => {
    assert.strictEqual(Escape.prose("👩\u200D👩\u200D👧 ❤\uFE0F\u200D🔥 👍🏽\u200D🔥"), "👩👩👧 ❤🔥 👍🏽🔥")
    assert.strictEqual(Escape.prose("a\u200Db 👩\u200D"), String.raw`a\u{200d}b 👩\u{200d}`)
    assert.strictEqual(Escape.text("👩\u200D👧"), String.raw`👩\u{200d}👧`)
  })
})

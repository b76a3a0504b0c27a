/** Known secrets in encodings, in encodings of encodings, and in pieces of these. */
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import { Buffer } from "node:buffer"
import { Redaction } from "../../src/index.ts"

const bytes = (text: string): Buffer => Buffer.from(text, "utf8")
const percent = (text: string): string => bytes(text).toString("hex").replaceAll(/../gu, "%$&")
const unicode = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`).join("")

/** The text around the secret, as a command or a model may write it. */
const encodings = {
  base64: (text: string) => bytes(text).toString("base64"),
  base64url: (text: string) => bytes(text).toString("base64url"),
  hex: (text: string) => bytes(text).toString("hex"),
  HEX: (text: string) => bytes(text).toString("hex").toUpperCase()
}
const escapes = {
  url: (text: string) => encodeURIComponent(text),
  percent,
  PERCENT: (text: string) => percent(text).toUpperCase(),
  json: (text: string) => JSON.stringify(text),
  unicode,
  hexEscape: (text: string) =>
    bytes(text).length > text.length ? unicode(text) : bytes(text).toString("hex").replaceAll(/../gu, "\\x$&"),
  entity: (text: string) => Array.from(text, (character) => `&#${character.codePointAt(0)};`).join(""),
  entityHex: (text: string) => Array.from(text, (character) => `&#x${character.codePointAt(0)?.toString(16)};`).join("")
}
const plain = (text: string): string => text

const Encoding = Schema.Literals(Object.keys(encodings) as ReadonlyArray<keyof typeof encodings>)
const Escape = Schema.Literals(Object.keys(escapes) as ReadonlyArray<keyof typeof escapes>)
const character = Schema.Literals(Array.from('abcXYZ019+/=-_~!%&?#"\\ äß€😀\n'))
const secret = Arbitrary.map(
  Arbitrary.schema(
    Schema.Struct({ parts: Schema.Array(character), end: Schema.Literals(["q7Z!pW0k", "Aa+9/xé-w2", "0f1e2d3c"]) })
  ),
  ({ end, parts }) => parts.join("") + end
)
const around = Schema.Literals(["", "x", "ab", "key=", "token: ", '{"k":"', "user:", "é", "%41", "123456789"])

const runs = { arbitrary: { runs: 120 } }

/** All ways in which the text can be decoded, to a depth of three. */
const readings = (text: string, depth = 3): ReadonlyArray<string> => {
  if (depth === 0) return [text]
  const read = [
    text,
    ...[0, 1, 2, 3].map((from) => Buffer.from(text.slice(from), "base64").toString("utf8")),
    ...[0, 1].map((from) => Buffer.from(text.slice(from).replaceAll(/[^0-9a-f]/giu, ""), "hex").toString("utf8"))
  ]
  return read.flatMap((one) => (one === text ? [one] : [one, ...readings(one, depth - 1)]))
}

describe("encoded secrets", () => {
  it.prop(
    "are redacted in each encoding, at whatever offset of the encoded text they start",
    [secret, around, around, Encoding],
    ([value, before, after, encoding]) => {
      const { holdsSecret, redact } = Redaction.make([value])
      const text = `<${encodings[encoding](before + value + after)}>`
      assert.isTrue(holdsSecret(text), text)
      assert.isFalse(holdsSecret(redact(text)))
      for (const read of readings(redact(text), 1)) assert.notInclude(read, value)
    },
    runs
  )

  it.prop(
    "are redacted in each kind of escape, and in escapes of escapes",
    [secret, around, Escape, Schema.NullOr(Escape)],
    ([value, before, inner, outer]) => {
      const { holdsSecret, redact } = Redaction.make([value])
      const text = (outer === null ? plain : escapes[outer])(before + escapes[inner](value))
      assert.isTrue(holdsSecret(text), text)
      assert.isFalse(holdsSecret(redact(text)))
    },
    runs
  )

  it.prop(
    "are redacted in an encoding of an encoding, within escapes",
    [secret, around, Encoding, Encoding, Schema.NullOr(Escape)],
    ([value, before, inner, outer, escape]) => {
      const { holdsSecret, redact } = Redaction.make([value])
      const encoded = encodings[outer](before + encodings[inner](before + value) + before)
      const text = (escape === null ? plain : escapes[escape])(encoded)
      assert.isTrue(holdsSecret(text), text)
      assert.isFalse(holdsSecret(redact(text)))
    },
    runs
  )

  it.prop(
    "are redacted in an encoding of escaped text",
    [secret, around, Schema.Literals(["url", "percent", "PERCENT", "json", "unicode"]), Encoding],
    ([value, before, escape, encoding]) => {
      const { holdsSecret } = Redaction.make([value])
      const text = encodings[encoding](before + escapes[escape](value))
      assert.isTrue(holdsSecret(text), text)
    },
    runs
  )

  const cuts = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 })))

  it.prop(
    "are found the same in pieces as in the full text: no piece of them is shown",
    [secret, around, Schema.NullOr(Encoding), Schema.NullOr(Escape), cuts],
    ([value, before, encoding, escape, lengths]) => {
      const redaction = Redaction.make([value, { value: "another-value", name: "OTHER" }])
      const encoded = (encoding === null ? plain : encodings[encoding])(before + value)
      const text = `${before} ${(escape === null ? plain : escapes[escape])(encoded)} then another-value and ${value}.`
      const streaming = Redaction.streaming(redaction)
      const shown: Array<string> = []
      let at = 0
      for (const length of [...lengths, text.length]) {
        shown.push(streaming.push(text.slice(at, at + length)))
        at += length
      }
      shown.push(streaming.end())
      assert.strictEqual(shown.join(""), redaction.redact(text))
      assert.isFalse(redaction.holdsSecret(shown.join("")))
    },
    runs
  )

  it.each(['1!+=X\n"#?XY€bbc%ba1q7Z!pW0k', "ß😀\n9?~Xb-b&~ß\n9 😀/_b_9!q7Z!pW0k"])(
    "are redacted in pieces that end within a character of several bytes, also after other bytes: %j",
    (value) => {
      const redaction = Redaction.make([value])
      for (const text of [`a ${percent(value)} b`, `a %ff${percent(value)}%e2%82 b`, `a %c3%28${percent(value)}`]) {
        assert.isTrue(redaction.holdsSecret(text), text)
        for (let length = 1; length <= 13; length++) {
          const streaming = Redaction.streaming(redaction)
          let shown = ""
          for (let at = 0; at < text.length; at += length) shown += streaming.push(text.slice(at, at + length))
          shown += streaming.end()
          assert.strictEqual(shown, redaction.redact(text))
          assert.isFalse(redaction.holdsSecret(shown))
        }
      }
    }
  )

  it.each(["\\n", "\\u000a", "\\x0a", "%0a", "%0A", "\\u{a}", "\\\\u000a", "&#10;"])(
    "are redacted in one piece and in two if nothing but their white space is escaped: %s",
    (lineFeed) => {
      const key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw\n-----END PRIVATE KEY-----"
      const known = ["first-line-Xq7\nsecond-line-Zw3", "\n\nq7Z!pW0kAa+9", "correct horse\nbattery"]
      const escaped = (text: string) =>
        text.replaceAll("\n", lineFeed).replaceAll(" ", lineFeed.startsWith("%") ? "%20" : " ")
      for (const value of [...known, key]) {
        const redaction = Redaction.make(value === key ? [] : [value])
        const text = `a ${escaped(value)} b`
        assert.isTrue(redaction.holdsSecret(text), text)
        // Only known values are looked for in escapes that arrive in pieces.
        for (let at = value === key ? text.length : 1; at < text.length; at++) {
          const streaming = Redaction.streaming(redaction)
          const shown = streaming.push(text.slice(0, at)) + streaming.push(text.slice(at)) + streaming.end()
          assert.strictEqual(shown, redaction.redact(text))
        }
      }
    }
  )

  const long = "zk-live-9aBcD0eFgHiJkLmNoPqRsTuVwXyZ0123456789abcdefghijklmnopqrstuvwxyzABCDEF"

  it.each([
    { tool: "base64", text: encodings.base64, width: 76 },
    { tool: "openssl base64", text: encodings.base64, width: 64 },
    { tool: "xxd -p", text: encodings.hex, width: 60 }
  ])("are redacted in the lines of $tool, in one piece and in several", ({ text: encode, width }) => {
    const redaction = Redaction.make([{ value: long, name: "KEY" }])
    for (const [before, lineFeed] of [
      ["", "\n"],
      ["", "\r\n"],
      ["password: ", "\n"]
    ]) {
      const encoded = encode(`${before}${long}${before}`)
      const lines = (encoded.match(new RegExp(`.{1,${width}}`, "gu")) ?? []).join(lineFeed)
      const text = `The key:${lineFeed}${lines}${lineFeed}${lineFeed}That was it.`
      const shown = redaction.redact(text)
      assert.match(shown, /^The key:\r?\n\S*\[hidden: KEY\][^]{0,48}That was it\.$/)
      for (let at = 0; at < text.length; at++) {
        const streaming = Redaction.streaming(redaction)
        const pieces = [streaming.push(text.slice(0, at)), streaming.push(text.slice(at)), streaming.end()]
        assert.strictEqual(pieces.join(""), shown)
      }
      const streaming = Redaction.streaming(redaction)
      const each = [...Array.from(text, (character) => streaming.push(character)), streaming.end()]
      assert.strictEqual(each.join(""), shown)
    }
  })

  it("does not delay a line whose last characters could begin a secret", () => {
    const streaming = Redaction.streaming(Redaction.make([long]))
    assert.strictEqual(streaming.push("the quiz\n"), "the quiz\n")
  })

  it("are redacted in a form, where a space is a plus", () => {
    const value = "correct horse+battery/staple"
    const { redact } = Redaction.make([value])
    assert.strictEqual(redact(`${new URLSearchParams({ t: value })}&a=b`), "t=[redacted]&a=b")
    assert.strictEqual(redact("q=correct+horse%2Bbattery/staple"), "q=[redacted]")
  })

  it.prop(
    "JSON stays JSON, without the secret",
    [secret, around, Schema.Json],
    ([value, before, other]) => {
      const { redact } = Redaction.make([value])
      const json = JSON.stringify({ [before + value]: [before + value, other], a: escapes.unicode(value) })
      const read: unknown = JSON.parse(redact(json))
      assert.notInclude(JSON.stringify(read), JSON.stringify(value).slice(1, -1))
    },
    runs
  )

  it.prop("text without a secret is unchanged", [Schema.String, around, Encoding], ([text, before, encoding]) => {
    const { redact } = Redaction.make(["nowhere-to-be-found"])
    for (const one of [text, before + text, encodings[encoding](text)]) assert.strictEqual(redact(one), one)
  })
})

/** The allowed text of a command, and how it is shown: in full, and never as other text. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { spawnSync } from "node:child_process"
import { escapeText, forbiddenIn, indentText, quoteWords, shortenText } from "../src/CommandText.ts"

describe("CommandText", () => {
  it("names the first character that makes a command look different from its effect", () => {
    const refused = {
      "ls\rcurl x": "U+000D",
      "a\0b": "U+0000",
      "a\u001b[2Kb": "U+001B",
      "a\u007f": "U+007F",
      "a\u0085b": "U+0085",
      "a\u009b2K": "U+009B",
      "ls \u202e;moc.live lruc": "U+202E",
      "a\u2066b": "U+2066",
      "a\u200fb": "U+200F",
      "a\u061cb": "U+061C",
      "a\u2028b": "U+2028",
      "a\ud800b": "U+D800",
      "\u202d\r": "U+202D"
    }
    for (const [text, codePoint] of Object.entries(refused)) assert.strictEqual(forbiddenIn(text), codePoint)
  })

  it("accepts ordinary text of any language, newlines and tabs", () => {
    for (const text of ["", "a\n\tb", "écho 'привет 你好 שלום مرحبا' 👩‍🚀 \\u{1}", "~!@#$%^&*()"]) {
      assert.isNull(forbiddenIn(text))
    }
  })

  it("shows invisible characters", () => {
    const shown = escapeText("a\u200bb\u00a0c\u3164d\ufe0fe\u{e0041}f\tg\nh")
    assert.strictEqual(shown, "a\\u{200b}b\\u{a0}c\\u{3164}d\\u{fe0f}e\\u{e0041}f\\u{9}g\\nh")
    assert.strictEqual(escapeText("printf 'a\\tb' | sed 's/\\./x/' é"), "printf 'a\\tb' | sed 's/\\./x/' é")
  })

  it.effect.prop(
    "the shown text can be decoded: two commands never look alike",
    [Schema.String, Schema.String],
    ([a, b]) =>
      Effect.sync(() => {
        const texts = [a, b, `${a}\\u{9}`, `${a}\t`, `${a}\\\\u{9}`, `${a}\\\t`, `${a}\n${b}`, `${a}${b}`]
        assert.strictEqual(new Set(texts.map(indentText)).size, new Set(texts).size)
      })
  )

  it("shows a megabyte of backslashes without delay", () => {
    const backslashes = "\\".repeat(1_000_000)
    assert.strictEqual(escapeText(backslashes), backslashes)
    assert.strictEqual(escapeText(`${backslashes}u{1}`).length, 2_000_004)
  })

  it("indents every line, so that a command cannot imitate our output", () => {
    assert.isTrue(
      indentText("true\nRun with a shell on x in /safe:\n\nls")
        .split("\n")
        .every((line) => line.startsWith("  "))
    )
  })

  it("quotes an argument vector as a shell would read it", () => {
    const argv = ["a b", "", "it's", "$HOME", "*", "\\", "plain-1.2/x", "\n", "é", "-n", "a=b", "~", "#", "!x"]
    const ran = spawnSync("sh", ["-c", `printf '%s\\0' ${quoteWords(argv)}`], { encoding: "utf8" })
    assert.deepStrictEqual(ran.stdout.split("\0").slice(0, -1), argv)
    assert.strictEqual(quoteWords(["npm", "test"]), "npm test")
  })

  it("truncates by characters and says that it did", () => {
    assert.deepStrictEqual(
      [shortenText("abc", 3), shortenText("abcd", 3), shortenText("𝄞𝄞𝄞𝄞", 3)],
      ["abc", "ab…", "𝄞𝄞…"]
    )
  })
})

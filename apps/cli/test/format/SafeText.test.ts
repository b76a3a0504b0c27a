/** SafeText: what makes it without a look is few and named, and nothing reaches a terminal past it. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Escape from "../../src/format/Escape.ts"
import * as SafeText from "../../src/format/SafeText.ts"

const root = fileURLToPath(new URL("../../src/", import.meta.url))
const sources = globSync("**/*.ts", { cwd: root }).toSorted()

const that = (pattern: RegExp): ReadonlyArray<string> =>
  sources.filter((file) => pattern.test(readFileSync(root + file, "utf8")))

describe("SafeText", () => {
  it("is made without a look by escaping, layout and the widths of glyphs alone", () => {
    assert.deepStrictEqual(that(/\bunchecked\b|(?<!\*) as (?:SafeText\.)?SafeText\b/u), [
      "format/Escape.ts",
      "format/Layout.ts",
      "format/SafeText.ts",
      "ui/tui/Rows.ts",
      "ui/tui/StyledText.ts",
      "ui/tui/editor/Glyphs.ts"
    ])
  })

  it("is all that is written to a terminal, but for what the screen library draws, a pipe and a program that cannot start", () => {
    assert.deepStrictEqual(
      that(/\b(?:stdout|stderr|target|stream|output)\??\.write\(|\bconsole\.(?:log|error|warn|info)\(/u),
      [
        "bin/bough.ts",
        "format/SafeText.ts",
        // stdout that may be a pipe, which takes text as it is.
        "io/Output.ts",
        "main.ts",
        "ui/tui/Display.ts",
        "ui/tui/FrameStream.ts"
      ]
    )
    assert.deepStrictEqual(that(/createElement\(\s*Text\b/u), ["ui/tui/Screen.ts"])
  })

  it("puts its holes where they stand, as they are", () => {
    const tool = Escape.line("a\u001B[2J\nb")
    assert.strictEqual<string>(SafeText.text`✗ ${tool}: ${3}${"!"}`, String.raw`✗ a\u{1b}[2J\nb: 3!`)
    assert.strictEqual<string>(SafeText.text``, "")
    assert.strictEqual<string>(SafeText.join([tool, tool], SafeText.text`, `), `${tool}, ${tool}`)
  })
})

/** SafeText: the functions that make it without a check are few and named, and only SafeText reaches a terminal. */
import * as Escape from "@bough/tui/text/Escape"
import * as SafeText from "@bough/tui/text/SafeText"
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../../../", import.meta.url))
const sources = globSync(["apps/cli/src/**/*.ts", "packages/tui/src/**/*.ts"], { cwd: root }).toSorted()

const that = (pattern: RegExp): ReadonlyArray<string> =>
  sources.filter((file) => pattern.test(readFileSync(root + file, "utf8")))

describe("SafeText", () => {
  it("is made without a check only by escaping, links, layout, widths of glyphs and Base64", () => {
    assert.deepStrictEqual(that(/\bunchecked\b|(?<!\*) as (?:SafeText\.)?SafeText\b/u), [
      "packages/tui/src/editor/Glyphs.ts",
      "packages/tui/src/screen/Clipboard.ts",
      "packages/tui/src/text/Escape.ts",
      "packages/tui/src/text/Hyperlink.ts",
      "packages/tui/src/text/Layout.ts",
      "packages/tui/src/text/Rows.ts",
      "packages/tui/src/text/SafeText.ts",
      "packages/tui/src/text/StyledText.ts"
    ])
  })

  it("is the only text that is written to a terminal, except for a pipe and a program that cannot start", () => {
    assert.deepStrictEqual(
      that(/\b(?:stdout|stderr|target|stream|output)\??\.write\(|\bconsole\.(?:log|error|warn|info)\(/u),
      [
        // stdout is the pipe of an editor.
        "apps/cli/src/acp/JsonRpc.ts",
        "apps/cli/src/bin/packsFlag.ts",
        "apps/cli/src/bin/prelude.ts",
        // stdout may be a pipe, which gets the raw text.
        "apps/cli/src/io/Output.ts",
        // Text that other code of the process prints stays as it is.
        "apps/cli/src/io/reserveStdout.ts",
        "apps/cli/src/main.ts",
        "apps/cli/src/own/run.ts",
        "packages/tui/src/text/SafeText.ts"
      ]
    )
  })

  it("inserts the values of a template in place, unchanged", () => {
    const tool = Escape.line("a\u001B[2J\nb")
    assert.strictEqual<string>(SafeText.text`✗ ${tool}: ${3}${"!"}`, String.raw`✗ a\u{1b}[2J\nb: 3!`)
    assert.strictEqual<string>(SafeText.text``, "")
    assert.strictEqual<string>(SafeText.join([tool, tool], SafeText.text`, `), `${tool}, ${tool}`)
  })
})

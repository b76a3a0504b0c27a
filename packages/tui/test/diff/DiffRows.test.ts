/** Diffs as rows: numbers, changed words, and no terminal sequences. */
import { assert, describe, it } from "@effect/vitest"
import * as Highlight from "../../src/code/Highlight.ts"
import * as DiffRows from "../../src/diff/DiffRows.ts"
import * as UnifiedDiff from "../../src/diff/UnifiedDiff.ts"
import * as Escape from "../../src/text/Escape.ts"
import { text } from "../../src/text/SafeText.ts"
import type * as Colour from "../../src/theme/Colour.ts"
import * as Theme from "../../src/theme/Theme.ts"
import * as Tint from "../../src/theme/Tint.ts"
import { anyColumns, anyText, assertRows, dark, runs } from "../anyText.ts"

const diff =
  "@@ -8,3 +8,4 @@\n const a = 1\n-const size = old + 1\n+const size = fresh + 1\n+more\n end\n@@ -40 +41 @@\n-x\n+y\n"

const plain = (columns: number): string => DiffRows.rows(diff, null, { columns, theme: Theme.none }).flat().join("\n")

/** Lines without their colours. */
// oxlint-disable-next-line no-control-regex -- these are the sequences that colours are made of
const bare = (lines: ReadonlyArray<string>): string => lines.join("\n").replaceAll(/\u001B\[\d+m/gu, "")

describe("DiffRows", () => {
  it("numbers the lines, removed ones by the old file", () => {
    assert.strictEqual(
      plain(60),
      [
        " 8  const a = 1",
        " 9 -const size = old + 1",
        " 9 +const size = fresh + 1",
        "10 +more",
        "11  end",
        "   ⋯",
        "40 -x",
        "41 +y"
      ].join("\n")
    )
  })

  it("marks the changed words, and no words of lines that share little", () => {
    const lines = UnifiedDiff.read(diff)
    const changed = lines.flatMap((line) => ("changed" in line ? [line.changed] : []))
    assert.deepStrictEqual(changed, [[], [[13, 16]], [[13, 18]], [], [], [], []])
    const row = DiffRows.rows(diff, null, { columns: 60, theme: dark })[2].join("")
    assert.include(row, dark.inverse(dark.green(text`fresh`)))
  })

  it("tints every row of a changed line in a mix with the reported background, and no other row", () => {
    const tinted = (ground: Colour.Rgb | null) =>
      DiffRows.rows(diff, null, { columns: 12, theme: Tint.withGround(dark, ground) }).map((rows) =>
        // oxlint-disable-next-line no-control-regex -- these are the sequences that backgrounds are made of
        rows.map((row) => /^\u001B\[48;2;([\d;]+)m[^]*\u001B\[49m$/u.exec(row)?.[1] ?? null)
      )
    const [added, removed] = ["6;27;10", "35;8;8"]
    assert.deepStrictEqual(tinted([0, 0, 0]).slice(0, 6), [
      [null, null],
      [removed, removed, removed],
      [added, added, added],
      [added],
      [null],
      [null]
    ])
    assert.deepStrictEqual(tinted([1, 1, 1])[3], ["220;241;224"])
    assert.deepStrictEqual(tinted(null)[3], [null])
  })

  it("shows added lines in the colours of the language", async () => {
    await Highlight.load("typescript")
    const rows = DiffRows.rows(diff, "typescript", { columns: 60, theme: dark })
    assert.include(rows[0].join(""), dark.syntax?.keyword(text`const`) ?? "none")
    assert.include(rows[2].join(""), dark.inverse(dark.green(text`fresh`)))
  })

  it("colours the lines of a diff for a decision, and leaves every character in place", async () => {
    await Highlight.load("typescript")
    const hiding = `${diff}@@ -1 +1 @@ rm -rf /\n\n\\ No newline\n+const b = "\u202E"`
    const lines = DiffRows.paintedLines(hiding, "typescript", { theme: dark, escape: Escape.text })
    assert.strictEqual(bare(lines), Escape.text(hiding))
    assert.include(lines[3], dark.inverse(dark.green(text`fresh`)))
    assert.include(lines.at(-1), dark.syntax?.keyword(text`const`) ?? "none")
    assert.strictEqual(lines[2].indexOf(dark.red(text`-`)), 0)
  })

  it("tints the changed lines of a diff for a decision as those of an edit", () => {
    const theme = Tint.withGround(dark, [0, 0, 0])
    const lines = DiffRows.paintedLines(diff, null, { theme, escape: Escape.text })
    // oxlint-disable-next-line no-control-regex -- these are the sequences that backgrounds are made of
    const grounds = lines.map((line) => /^\u001B\[48;2;([\d;]+)m[^]*\u001B\[49m$/u.exec(line)?.[1] ?? null)
    const [added, removed] = ["6;27;10", "35;8;8"]
    assert.deepStrictEqual(grounds.slice(0, 6), [null, null, removed, added, added, null])
    assert.deepStrictEqual(bare(lines).split("\n").length, diff.split("\n").length)
  })

  it.prop(
    "colours a diff of any text without a change to it",
    [anyText, anyText],
    ([before, after]) => {
      const whole = `@@ -1,9 +1,9 @@ ${before.join("")}\n${after.join("").replaceAll(/^/gmu, "+")}\n${before.join("")}`
      const lines = DiffRows.paintedLines(whole, null, { theme: dark, escape: Escape.text })
      assert.strictEqual(bare(lines), whole.split("\n").map(Escape.text).join("\n"))
    },
    runs
  )

  it.prop(
    "writes rows that fit and contain no terminal sequences, whatever the lines",
    [anyText, anyText, anyColumns],
    ([before, after, columns]) => {
      const marked = (mark: string, words: string) => words.replaceAll(/^/gmu, mark)
      const body = `${marked("-", before.join(""))}\n${marked("+", after.join(""))}\n`
      const rows = DiffRows.rows(`@@ -1,9 +1,9 @@\n${body}`, "typescript", { columns, theme: dark })
      assertRows(rows.flat(), columns)
    },
    runs
  )
})

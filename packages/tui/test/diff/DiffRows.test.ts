/** Diffs as rows: numbers, words that differ, and nothing that a terminal obeys. */
import { assert, describe, it } from "@effect/vitest"
import * as Highlight from "../../src/code/Highlight.ts"
import * as DiffRows from "../../src/diff/DiffRows.ts"
import * as UnifiedDiff from "../../src/diff/UnifiedDiff.ts"
import { text } from "../../src/text/SafeText.ts"
import * as Theme from "../../src/theme/Theme.ts"
import { anyColumns, anyText, assertRows, dark, runs } from "../anyText.ts"

const diff =
  "@@ -8,3 +8,4 @@\n const a = 1\n-const size = old + 1\n+const size = fresh + 1\n+more\n end\n@@ -40 +41 @@\n-x\n+y\n"

const plain = (columns: number): string => DiffRows.rows(diff, null, { columns, theme: Theme.none }).flat().join("\n")

describe("DiffRows", () => {
  it("numbers the lines, those that are gone by the old file", () => {
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

  it("marks the words that differ, and no words of lines that share little", () => {
    const lines = UnifiedDiff.read(diff)
    const changed = lines.flatMap((line) => ("changed" in line ? [line.changed] : []))
    assert.deepStrictEqual(changed, [[], [[13, 16]], [[13, 18]], [], [], [], []])
    const row = DiffRows.rows(diff, null, { columns: 60, theme: dark })[2].join("")
    assert.include(row, dark.inverse(dark.green(text`fresh`)))
  })

  it("shows what was added in the colours of the language", async () => {
    await Highlight.load("typescript")
    const rows = DiffRows.rows(diff, "typescript", { columns: 60, theme: dark })
    assert.include(rows[0].join(""), dark.syntax?.keyword(text`const`) ?? "none")
    assert.include(rows[2].join(""), dark.inverse(dark.green(text`fresh`)))
  })

  it.prop(
    "writes rows that fit and obey nobody, whatever the lines",
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

/** Tests of text in cells: the fast measurement equals the full one. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { join, sentence } from "../../src/text/Layout.ts"
import { breakHard, cut } from "../../src/text/Rows.ts"
import { text, unchecked } from "../../src/text/SafeText.ts"
import { cells } from "../../src/text/Width.ts"

const signs = ["→", "✓", "✗", "…", "│", "·", "—", "–", "“", "”", "├", "└", "─"] as const
const word = Schema.Literals(["a", " ", "~", "read_file", ...signs, "é", "e\u0301", "漢", "👩‍👩‍👧", "🇫🇷", "\u200D"])
const Line = Schema.Array(word)
const Columns = Schema.Literals([1, 2, 3, 7, 20, 200])

describe("Layout", () => {
  it.prop(
    "truncates a line to its columns, and leaves one that fits unchanged",
    [Line, Columns],
    ([words, columns]) => {
      const line = unchecked(words.join(""))
      const kept = cut(line, columns)
      assert.isAtMost(cells(kept), columns)
      if (cells(line) <= columns) assert.strictEqual(kept, line)
      else assert.isTrue(kept.endsWith("…") && line.startsWith(kept.slice(0, -1)))
    }
  )

  it.prop("wraps a line into rows that contain all of it", [Line, Columns], ([words, columns]) => {
    const line = unchecked(words.join(""))
    const rows = breakHard(line, columns)
    assert.strictEqual(rows.join(""), line)
    // A character may be wider than the row.
    assert.isTrue(rows.every((row) => cells(row) <= Math.max(columns, 2)))
    if (cells(line) <= columns) assert.strictEqual(rows.length, 1)
  })

  it.prop("breaks a sentence between words, and loses only those spaces", [Line, Columns], ([words, columns]) => {
    const line = unchecked(words.join(""))
    const rows = sentence(line, columns)
    assert.strictEqual(rows.join("").replaceAll(" ", ""), line.replaceAll(" ", ""))
    assert.isTrue(rows.every((row) => cells(row) <= Math.max(columns, 2)))
  })

  it("breaks a word only if it fits no row", () => {
    assert.deepStrictEqual<ReadonlyArray<string>>(sentence(text`reason: AGENTS.md instructs agents`, 32), [
      "reason: AGENTS.md instructs",
      "agents"
    ])
    assert.deepStrictEqual<ReadonlyArray<string>>(sentence(text`a longwordindeed`, 6), ["a", "longwo", "rdinde", "ed"])
  })

  it.prop("joins parts that fit one row", [Schema.Array(word)], ([parts]) => {
    const whole = parts.join("·")
    const rows = join(parts.map(unchecked), text`·`, Math.max(1, cells(whole)))
    assert.deepStrictEqual<ReadonlyArray<string>>(rows, parts.length === 0 ? [] : [whole])
  })
})

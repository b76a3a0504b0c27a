/** A failed command shows its failure. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { failureLines } from "../../src/format/FailureLines.ts"

const textOf = (lines: ReadonlyArray<string>, most = 14): ReadonlyArray<string> =>
  failureLines(lines, most).map((line) => (line._tag === "Line" ? line.text : `…${line.lines}`))

const tap = [
  "TAP version 13",
  ...Array.from({ length: 20 }, (_, test) => `ok ${test + 1} - works`),
  "# Subtest: adds",
  "not ok 21 - adds",
  "  ---",
  "  error: |-",
  "    Expected values to be strictly equal:",
  "    3 !== 4",
  "  code: 'ERR_ASSERTION'",
  "  ...",
  "1..21",
  "# tests 21",
  "# pass 20",
  "# fail 1",
  "# cancelled 0",
  "# skipped 0",
  "# todo 0",
  "# duration_ms 61.2"
]

describe("failureLines", () => {
  it("shows the assertion of a failing test, not only the counts at the end", () => {
    const shown = textOf(tap)
    assert.include(shown, "not ok 21 - adds")
    assert.include(shown, "    3 !== 4")
    assert.strictEqual(shown[0], "…21")
    assert.deepStrictEqual(shown.slice(-2), ["# todo 0", "# duration_ms 61.2"])
  })

  it("does not treat counts of zero as failures, and shows the end if no line names a failure", () => {
    const lines = ["0 errors", "# fail 0", ...Array.from({ length: 30 }, (_, line) => `line ${line}`)]
    assert.deepStrictEqual(textOf(lines, 5), ["…27", "line 25", "line 26", "line 27", "line 28", "line 29"])
  })

  it.prop(
    "shows each line once, in order, and no more than fit",
    [Schema.Array(Schema.Literals(["error: x", "ok", "", "# fail 0", "  at f (a.ts:1)"])), Schema.Literals([3, 5, 14])],
    ([lines, most]) => {
      const shown = failureLines(lines, most)
      assert.isAtMost(shown.filter(({ _tag }) => _tag === "Line").length, most)
      const total = shown.reduce((sum, line) => sum + (line._tag === "Line" ? 1 : line.lines), 0)
      assert.isAtMost(total, lines.length)
      assert.strictEqual(total, lines.length)
    }
  )
})

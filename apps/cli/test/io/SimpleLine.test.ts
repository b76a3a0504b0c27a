/** A line that is edited only at its end. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SimpleLine from "../../src/io/SimpleLine.ts"

const typed = (input: string): { readonly text: string; readonly echo: string } => {
  let line: ReadonlyArray<string> = []
  let echo = ""
  for (const key of SimpleLine.keysOf(input)) {
    const step = SimpleLine.press(line, key)
    ;({ line } = step)
    echo += step.echo
  }
  return { text: line.join(""), echo }
}

/** The resulting line of a terminal: characters that are one cell wide, and backspaces. */
const shown = (echo: string): string => {
  const cells: Array<string> = []
  let at = 0
  for (const character of echo) {
    if (character === "\b") at -= 1
    else cells[at++] = character
  }
  return cells.slice(0, at).join("")
}

const Keys = Schema.Array(Schema.Literals(["a", "ä", "b", " ", "\u007F", "\u0015", "\u0017", "\u001B[A", "\u0001"]))

describe("SimpleLine", () => {
  it.effect.prop("shows the line as it is, for every way of typing it", [Keys], ([keys]) =>
    Effect.sync(() => {
      const { echo, text } = typed(keys.join(""))
      assert.strictEqual(shown(echo), text)
      assert.notInclude(echo, "\u001B")
    })
  )

  it("erases a character, a word with the blanks behind it, the whole line, and wide characters with both cells", () => {
    const cases: ReadonlyArray<readonly [string, string]> = [
      ["helo\u007Flo", "hello"],
      ["one two  \u0017", "one "],
      ["one\u0017\u0017", ""],
      ["all of it\u0015now", "now"],
      ["\u007F\u007Fx", "x"],
      ["pa\tsted\u001B[1;5C", "pa\tsted"]
    ]
    for (const [input, text] of cases) assert.strictEqual(typed(input).text, text, input)
    assert.strictEqual(typed("世\u007F").echo, "世\b \b\b \b")
  })

  it("reports keys that are not text, and leaves the line to the caller", () => {
    const actions = ["\r", "\n", "\u0003", "\u0004", "\u001A"].map((key) => SimpleLine.press(["a"], key))
    assert.deepStrictEqual(
      actions.map(({ event: happened, line }) => [happened, ...line]),
      [
        ["Line", "a"],
        ["Line", "a"],
        ["Interrupt", "a"],
        ["End", "a"],
        ["Suspend", "a"]
      ]
    )
    assert.deepStrictEqual(SimpleLine.keysOf("a\r\nb"), ["a", "\r", "b"])
  })
})

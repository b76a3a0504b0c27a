/** A screen as a picture: each piece of text on its cells, in its colour. */
import { assert, describe, it } from "@effect/vitest"
import * as Cells from "../../recording/Cells.ts"
import * as Svg from "../../recording/Svg.ts"

describe("Cells", () => {
  it("counts cells, and keeps a colour until it ends", () => {
    const [first, second] = Cells.parse("世 \u001B[1;31mred\n\u001B[39mbold\u001B[0m plain")
    assert.deepStrictEqual(
      first.map(({ cells, column, look, text }) => [text, column, cells, look.color, look.bold]),
      [
        ["世 ", 0, 3, null, false],
        ["red", 3, 3, 1, true]
      ]
    )
    assert.deepStrictEqual(
      second.map(({ column, look, text }) => [text, column, look.color, look.bold]),
      [
        ["bold", 0, null, true],
        [" plain", 4, null, false]
      ]
    )
  })

  it("refuses an unsupported colour", () => {
    assert.throws(() => Cells.parse("\u001B[48;5;3mx"), /no such colour/)
  })
})

describe("Svg", () => {
  const pictured = (printed: string): string => Svg.of({ title: "T", columns: 20, rows: Cells.parse(printed) })

  it("writes the text of the screen as text and never as markup", () => {
    assert.include(pictured("a <b> & c"), ">a &lt;b&gt; &amp; c</text>")
  })

  it("puts text on its cells, without the spaces before it", () => {
    assert.match(pictured("  ab"), /<text [^>]*x="16\.8" y="14" textLength="16\.8"[^>]*>ab</)
  })

  it("draws lines from cell to cell instead of writing them", () => {
    const svg = pictured("┌ a\n│ b\n└ c")
    assert.notMatch(svg, /[┌│└]/u)
    assert.include(svg, `<path d="M4.2 28.5v-9.5M4.2 28.5v9.5"`)
  })
})

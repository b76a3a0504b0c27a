/** Scrollback: every row reaches the terminal once, in its place, and never too many with one frame. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { text } from "@bough/tui/text/SafeText"
import type { Block } from "../../../src/ui/tui/Block.ts"
import * as BlockRows from "../../../src/ui/tui/BlockRows.ts"
import * as Scrollback from "../../../src/ui/tui/Scrollback.ts"
import * as Theme from "@bough/tui/theme/Theme"

const place = { columns: 40, theme: Theme.none }

/** Rows of one, and whether a frame is drawn before the next comes. */
const Given = Schema.Struct({
  rows: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 * Scrollback.rowsAtOnce })),
  isBlank: Schema.Boolean,
  isDrawn: Schema.Boolean
})

const blockOf = ({ isBlank, rows }: typeof Given.Type, index: number): Block => ({
  _tag: "Decided",
  rows: Array.from({ length: rows }, (_, row) => (isBlank ? text`` : text`block ${index}, row ${row}`))
})

/** What each frame printed, oldest first. */
const frames = (given: ReadonlyArray<typeof Given.Type>): ReadonlyArray<string> => {
  const scrollback = Scrollback.make()
  const texts: Array<string> = []
  const draw = (): void => {
    const count = scrollback.printed.length
    scrollback.next()
    if (scrollback.printed.length > count) texts.push(scrollback.printed.at(-1)?.text ?? "")
  }
  for (const [index, one] of given.entries()) {
    scrollback.add([blockOf(one, index)], place)
    if (one.isDrawn) draw()
  }
  while (scrollback.isWaiting()) draw()
  for (const [index, { id, text }] of scrollback.printed.slice(0, -1).entries()) {
    assert.strictEqual(id, index)
    assert.strictEqual(text, "")
  }
  return texts
}

describe("Scrollback", () => {
  it.prop(
    "hands out every row once and in order, however many come between two frames",
    [Schema.Array(Given)],
    ([given]) => {
      const blocks = given.map(blockOf)
      const expected = blocks.flatMap((block, index) => BlockRows.rows(block, blocks[index - 1] ?? null, place))
      const texts = frames(given)
      assert.deepStrictEqual(
        texts.flatMap((text) => text.split("\n")).map((row) => row.trimEnd()),
        expected.map((row) => row.trimEnd())
      )
      for (const text of texts) assert.isAtMost(text.split("\n").length, Scrollback.rowsAtOnce)
    },
    { arbitrary: { runs: 100, size: 20 } }
  )
})

/** Pager: an approval counts as read when every row of it was on the screen, at the current width. */
import { text } from "@bough/tui/text/SafeText"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Pager from "../../../src/ui/plain/Pager.ts"

const rowsOf = (count: number): Pager.Sheet["rows"] => Array.from({ length: count }, (_, row) => text`row ${row}`)

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
/** A new width lays the rows out again: so many fewer for each. */
const Screen = Schema.Struct({ columns: Schema.Literals([40, 41]), room: upTo(12) })
const Step = Schema.Union([Schema.Literals(["next", "previous"]), Screen])

const sheetOn = (count: number, { columns, room }: typeof Screen.Type): Pager.Sheet => ({
  rows: rowsOf(count + columns - 40),
  columns,
  room
})

describe("Pager", () => {
  it.prop(
    "is complete exactly when each row was shown since the last layout",
    [upTo(40), Screen, Schema.Array(Step)],
    ([count, first, steps]) => {
      let screen = first
      let reading = Pager.unread
      let shown = new Set<string>()
      const look = (): Pager.Window => {
        const window = Pager.windowOf(reading, sheetOn(count, screen))
        for (const row of window.rows) shown.add(row)
        return window
      }
      look()
      for (const step of steps) {
        const sheet = sheetOn(count, screen)
        if (step === "next") reading = Pager.next(reading, sheet)
        else if (step === "previous") reading = Pager.previous(reading, sheet)
        else {
          if (step.columns !== screen.columns) {
            shown = new Set()
            reading = Pager.unread
          }
          screen = step
        }
        const now = sheetOn(count, screen)
        const { from, isWhole, rows, to } = look()
        assert.isAtMost(rows.length + (rows.length === now.rows.length ? 0 : 1), Math.max(1, now.room))
        assert.deepStrictEqual(rows, now.rows.slice(from - 1, to))
        // A complete text was shown; rows shown between two sizes of the screen may have to be shown again.
        if (isWhole) assert.strictEqual(shown.size, now.rows.length)
      }
    },
    { arbitrary: { runs: 1000, size: 30 } }
  )

  it("shows all of it page by page, each row once, and is complete with the last page and no sooner", () => {
    const sheet = { rows: rowsOf(23), columns: 40, room: 8 }
    let reading = Pager.unread
    const pages: Array<readonly [number, number, boolean]> = []
    for (let page = 0; page < 5; page++) {
      const { from, isWhole, to } = Pager.windowOf(reading, sheet)
      pages.push([from, to, isWhole])
      reading = Pager.next(reading, sheet)
    }
    assert.deepStrictEqual(pages, [
      [1, 7, false],
      [8, 14, false],
      [15, 21, false],
      [17, 23, true],
      [17, 23, true]
    ])
    assert.isTrue(Pager.windowOf(Pager.previous(reading, sheet), sheet).isWhole)
    assert.deepInclude(Pager.windowOf(reading, { ...sheet, columns: 39 }), { from: 1, to: 7, isWhole: false })
  })

  it("is never complete if the screen is too small to read", () => {
    for (const room of [-3, 0, 1]) {
      const sheet = { rows: rowsOf(2), columns: 40, room }
      let reading = Pager.unread
      for (let page = 0; page < 5; page++) reading = Pager.next(reading, sheet)
      assert.isFalse(Pager.windowOf(reading, sheet).isWhole)
    }
  })
})

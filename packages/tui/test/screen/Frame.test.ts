/**
 * Frame: from any content, a terminal that executes the output shows the next frame, and printed rows above it once.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { sampled } from "../../../../test/thorough.ts"
import * as Frame from "../../src/screen/Frame.ts"
import * as Escape from "../../src/text/Escape.ts"
import { cells } from "../../src/text/Width.ts"
import * as VirtualTerminal from "./VirtualTerminal.ts"

const columns = 12
const height = 6

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** Rows of any width that fits, including the full width. */
const Row = Schema.Literals(["", "a", "row", "twelve cells", "世界", "世界世界世界", "é", "› word", "abc def ghij"])

const AnyFrame = Schema.Struct({ rows: Schema.Array(Row), x: between(0, columns - 1), y: between(0, height - 2) })
const Step = Schema.Struct({ printed: Schema.Array(Row), frame: AnyFrame })

const frameOf = ({ rows, x, y }: typeof AnyFrame.Type): Frame.Frame => {
  const fitting = rows.slice(0, height - 1).map(Escape.line)
  return { rows: fitting, cursor: fitting.length === 0 ? { x: 0, y: 0 } : { x, y: Math.min(y, fitting.length - 1) } }
}

const trimmed = (rows: ReadonlyArray<string>): ReadonlyArray<string> =>
  rows.slice(0, rows.findLastIndex((row) => row !== "") + 1)

describe("Frame", () => {
  it.effect.prop(
    "is shown by a terminal after any other frame, below every printed row, with its cursor",
    [Schema.Array(Step), Row],
    ([steps, before]) =>
      Effect.promise(async () => {
        const terminal = VirtualTerminal.make(columns, height)
        // The frame starts below the output of a shell.
        await terminal.write(`${before}\r\n`)
        const printed: Array<string> = [before]
        let shown = Frame.empty
        for (const { frame, printed: rows } of steps) {
          const next = frameOf(frame)
          const above = rows.map(Escape.line)
          await terminal.write(above.length === 0 ? Frame.change(shown, next) : Frame.print(shown, above, next))
          printed.push(...above)
          shown = next
          assert.deepStrictEqual(await terminal.lines(), trimmed([...printed, ...next.rows]))
          assert.deepStrictEqual(await terminal.cursor(), { x: next.cursor.x, y: printed.length + next.cursor.y })
        }
        await terminal.write(`${Frame.erase(shown)}$`)
        assert.deepStrictEqual(await terminal.lines(), [...printed, "$"])
      }),
    sampled({ arbitrary: { runs: 80, size: 6 } })
  )

  it("writes only the differences", () => {
    const rows = ["one", "two", "three"].map(Escape.line)
    const before = { rows, cursor: { x: 1, y: 1 } }
    assert.strictEqual<string>(Frame.change(before, { ...before }), "")
    const after = { rows: rows.with(1, Escape.line("2")), cursor: { x: 2, y: 1 } }
    const change = Frame.change(before, after)
    assert.include(change, "2")
    assert.notMatch(change, /one|three/u)
    assert.notMatch(Frame.change(before, { rows, cursor: { x: 0, y: 0 } }), /one|two|three/u)
  })

  it("is one update, which ends with the cursor shown and automatic wrapping on", () => {
    const frame = { rows: [Escape.line("row")], cursor: { x: 0, y: 0 } }
    for (const text of [Frame.change(Frame.empty, frame), Frame.print(frame, frame.rows, frame), Frame.erase(frame)]) {
      assert.isTrue(text.startsWith("\u001B[?2026h"))
      assert.isTrue(text.endsWith("\u001B[?2026l"))
      for (const mode of ["25", "7"]) {
        assert.isBelow(text.indexOf(`\u001B[?${mode}l`), text.indexOf(`\u001B[?${mode}h`))
        assert.isAbove(text.indexOf(`\u001B[?${mode}l`), -1)
      }
    }
  })

  it.prop(
    "knows the rows above its cursor that it gains in a terminal that became narrower",
    [Schema.Array(Row), between(2, columns), between(0, columns - 1)],
    ([rows, narrower, x]) => {
      const wide = rows.map(Escape.line)
      const y = Math.max(0, wide.length - 1)
      const gained = Frame.addedRows({ rows: wide, cursor: { x, y } }, narrower)
      const above = wide.slice(0, y).reduce((sum, row) => sum + Math.max(1, Math.ceil(cells(row) / narrower)), 0)
      assert.strictEqual(y + gained, above + Math.floor(x / narrower))
    }
  )
})

/** Display: printed rows reach the terminal once and in order, and one frame is below them, at any size. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { sampled } from "../../../../test/thorough.ts"
import * as Display from "../../src/screen/Display.ts"
import * as Escape from "../../src/text/Escape.ts"
import * as Rows from "../../src/text/Rows.ts"
import { type SafeText, text } from "../../src/text/SafeText.ts"
import * as VirtualTerminal from "./VirtualTerminal.ts"

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A prompt between two rows, which are as wide as the terminal or fit every one. */
const withPrompt = (columns: number, rows: number, isWide = false) => {
  const terminal = VirtualTerminal.make(columns, rows)
  let status = 0
  const frame = () => {
    const { columns } = terminal.stdout
    const filled = (row: string, fill: string): string => (isWide ? row.padEnd(columns, fill) : row)
    const wide = [filled("over it", "世"), "› word", filled(`row ${status}`, ".")]
    return { rows: wide.map((row) => Rows.cut(Escape.line(row), columns)), cursor: { x: 6, y: 1 } }
  }
  const display = Display.make({ stdout: terminal.stdout, frame, reflows: true })
  return {
    ...terminal,
    display,
    frame,
    drawn: async () => {
      status += 1
      display.answer()
      await turn()
    }
  }
}

const numbered = (from: number, count: number): ReadonlyArray<SafeText> =>
  Array.from({ length: count }, (_, at) => text`out ${from + at}`)

const Step = Schema.Union([
  Schema.Struct({ printed: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 700 })) }),
  Schema.Struct({
    columns: Schema.Int.check(Schema.isBetween({ minimum: 9, maximum: 50 })),
    rows: Schema.Int.check(Schema.isBetween({ minimum: 5, maximum: 20 }))
  })
])

describe("Display", () => {
  it.effect.prop(
    "leaves every printed row once and in order, and one frame, whatever the terminal's sizes were",
    [Schema.Array(Step), Schema.Boolean],
    ([steps, isWide]) =>
      Effect.promise(async () => {
        const { display, drawn, frame, lines, resize } = withPrompt(30, 10, isWide)
        let count = 0
        await drawn()
        for (const step of steps) {
          if ("printed" in step) {
            display.print(numbered(count, step.printed))
            count += step.printed
          } else await resize(step.columns, step.rows)
          await drawn()
        }
        for (let left = count; left > 0; left -= Display.rowsAtOnce) await drawn()
        const all = await lines()
        assert.strictEqual(all.slice(-3).join("\n"), frame().rows.join("\n"))
        // If the terminal broke rows, this one places the cursor elsewhere than others do.
        if (!isWide) assert.deepStrictEqual<ReadonlyArray<string>>(all.slice(0, -3), numbered(0, count))
        display.close()
        if (!isWide) assert.deepStrictEqual<ReadonlyArray<string>>(await lines(), numbered(0, count))
      }),
    sampled({ arbitrary: { runs: 25, size: 5 } })
  )

  it("prints at most as many rows with one frame as keys can wait for, and prints the rest in later frames", async () => {
    const { display, drawn, lines, writes } = withPrompt(30, 10)
    display.print(numbered(0, 3 * Display.rowsAtOnce))
    await drawn()
    assert.lengthOf(writes[0].match(/out \d+/gu) ?? [], Display.rowsAtOnce)
    await turn()
    await turn()
    assert.strictEqual((await lines()).filter((row) => row.startsWith("out ")).length, 3 * Display.rowsAtOnce)
    display.close()
  })

  it("writes each frame at once, also if it replaces one of another size", async () => {
    const { display, drawn, resize, writes } = withPrompt(30, 10)
    await drawn()
    await resize(20, 10)
    await turn()
    assert.lengthOf(writes, 2)
    display.close()
  })

  it("draws one frame and rests, also if each frame reports again whether it fills the screen", async () => {
    for (const isFull of [false, true]) {
      const terminal = VirtualTerminal.make(30, 10)
      let count = 0
      const frame = () => {
        count += 1
        display.fullScreen(isFull)
        return { rows: [], cursor: { x: 0, y: 0 } }
      }
      const display = Display.make({ stdout: terminal.stdout, frame, reflows: true })
      display.fullScreen(isFull)
      display.answer()
      for (let turns = 0; turns < 10; turns++) await turn()
      assert.strictEqual(count, 1)
      display.close()
    }
  })

  it("prints pending rows when it is closed, also while another program has the terminal", async () => {
    for (const isAway of [false, true]) {
      const { display, lines } = withPrompt(30, 10)
      if (isAway) void display.suspend(() => new Promise(() => {}))
      display.print(numbered(0, 700))
      display.close()
      assert.deepStrictEqual<ReadonlyArray<string>>(await lines(), numbered(0, 700))
    }
  })

  it("leaves the terminal to another program, and shows the frame below its output", async () => {
    const { display, drawn, frame, lines, write } = withPrompt(30, 10)
    await drawn()
    await display.suspend(async () => {
      await drawn()
      await write("\r\nanother program\r\n")
    })
    await turn()
    assert.deepStrictEqual(await lines(), ["", "another program", ...frame().rows])
    display.close()
  })

  it("prints pending rows before another program gets the terminal, above its output", async () => {
    const { display, drawn, frame, lines, write } = withPrompt(30, 10)
    await drawn()
    display.print(numbered(0, 400))
    await display.suspend(async () => {
      await drawn()
      await write("another program\r\n")
    })
    await turn()
    assert.deepStrictEqual(await lines(), [...numbered(0, 400), "another program", ...frame().rows])
    display.close()
  })
})

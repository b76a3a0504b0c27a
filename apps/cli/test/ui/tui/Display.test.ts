/** Display: what is printed reaches the terminal, however the conversation ends. */
import { assert, describe, it } from "@effect/vitest"
import { PassThrough, Writable } from "node:stream"
import { text } from "@bough/tui/text/SafeText"
import * as Display from "../../../src/ui/tui/Display.ts"
import * as Editor from "@bough/tui/editor/Editor"
import * as EditorView from "@bough/tui/editor/EditorView"
import * as Theme from "@bough/tui/theme/Theme"
import { initial } from "./happening.ts"

const size = { columns: 40, rows: 12 }

const displayed = () => {
  const writes: Array<string> = []
  const stdout = new Writable({
    decodeStrings: false,
    write: (chunk, _, done) => {
      writes.push(String(chunk))
      done()
    }
  })
  const display = Display.make({
    // Of a terminal only what a Writable has, columns and rows are used.
    stdout: Object.assign(stdout, size) as unknown as NodeJS.WriteStream,
    // Nothing is read from it.
    stdin: new PassThrough() as unknown as NodeJS.ReadStream,
    scene: () => ({
      ...initial,
      ...size,
      question: null,
      counts: false,
      editor: EditorView.view(Editor.initial, { width: 38 }),
      nowMillis: 0
    }),
    place: () => ({ columns: size.columns, theme: Theme.none }),
    reflows: true
  })
  return { display, written: () => writes.join("") }
}

describe("Display", () => {
  it("prints what waits when it is closed, also while the terminal is another program's", async () => {
    for (const isAway of [false, true]) {
      const { display, written } = displayed()
      if (isAway) void display.suspend(() => new Promise(() => {}))
      display.print(Array.from({ length: 700 }, (_, row) => ({ _tag: "Decided", rows: [text`row ${row}.`] }) as const))
      display.close()
      const rows = written().match(/row \d+\./gu)
      assert.deepStrictEqual(
        rows,
        Array.from({ length: 700 }, (_, row) => `row ${row}.`)
      )
    }
  })
})

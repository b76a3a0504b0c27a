/** EditorView: the shown rows fit, equal the text, and have no effect on a terminal. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import stringWidth from "string-width"
import { sampled, thoroughOnly } from "../../../../test/thorough.ts"
import * as Editor from "../../src/editor/Editor.ts"
import { type Line, type View, view } from "../../src/editor/EditorView.ts"
import * as Escape from "../../src/text/Escape.ts"
import { all, anyEvents, imageOf, paste, press, texts, type } from "./typing.ts"

const many = { arbitrary: { runs: 400, size: 40 } }
const widths = Schema.Int.check(Schema.isBetween({ minimum: 4, maximum: 60 }))

const textOf = (line: Line): string => line.map(({ text }) => text).join("")

const joined = ({ rows }: View): string =>
  rows.map(({ ends, spans }, index) => textOf(spans) + (ends && index < rows.length - 1 ? "\n" : "")).join("")

describe("EditorView", () => {
  it.prop(
    "never exceeds its width, and has room for the cursor",
    [anyEvents, widths],
    ([events, width]) => {
      const seen = view(all(events).state, { width })
      for (const line of [...seen.rows.map(({ spans }) => spans), ...seen.footer]) {
        assert.isAtMost(stringWidth(textOf(line)), width)
      }
      const { column, row } = seen.cursor
      assert.isBelow(column, width)
      assert.isAtMost(column, stringWidth(textOf(seen.rows[row]?.spans ?? [])))
    },
    many
  )

  it.prop(
    "lets no sequence through that acts on a terminal",
    [anyEvents, widths],
    ([events, width]) => {
      const { footer, rows } = view(all(events).state, { width })
      const lines = [...rows.map(({ spans }) => textOf(spans)), ...footer.map(textOf)]
      assert.deepStrictEqual(
        lines.flatMap((line) => Array.from(line)).filter((character) => Escape.isUnsafe(character)),
        []
      )
    },
    sampled(many)
  )

  it.prop(
    "equals the text, row after row",
    [texts, widths],
    ([text, width]) => {
      const written = Array.from(text)
        .filter((character) => !Escape.isUnsafe(character) || character === "\n")
        .join("")
      const { state } = all([type(`:${written}`)])
      assert.strictEqual(joined(view(state, { width })), `:${written}`)
    },
    sampled(many)
  )

  it.prop(
    "shows the row of the cursor in any height",
    [anyEvents, widths, Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 }))],
    ([events, width, height]) => {
      const { state } = all(events)
      const whole = view(state, { width })
      const { above, below, cursor, rows } = view(state, { width, height })
      assert.isAtMost(rows.length, height)
      assert.strictEqual(above + rows.length + below, whole.rows.length)
      assert.strictEqual(cursor.row + above, whole.cursor.row)
      assert.deepStrictEqual(rows[cursor.row], whole.rows[whole.cursor.row])
    },
    many
  )

  it("breaks rows at blanks, and long words only if necessary", () => {
    const rows = (text: string) => view(all([type(text)]).state, { width: 11 }).rows.map(({ spans }) => textOf(spans))
    assert.deepStrictEqual(rows("one two three four"), ["one two ", "three four"])
    assert.deepStrictEqual(rows("abcdefghijklmn"), ["abcdefghij", "klmn"])
    assert.deepStrictEqual(rows("日本語日本語"), ["日本語日本", "語"])
  })

  it("shows a long paste as one chip", () => {
    const { state } = all([type("see "), paste("line\r".repeat(311) + "end"), type(" there")])
    assert.deepStrictEqual<unknown>(view(state, { width: 80 }).rows, [
      {
        spans: [
          { kind: "text", text: "see " },
          { kind: "attachment", text: "[pasted 312 lines]" },
          { kind: "text", text: " there" }
        ],
        ends: true
      }
    ])
    assert.deepInclude(all([press("enter")], state).actions, {
      _tag: "Submit",
      text: `see ${"line\n".repeat(311)}end there`,
      images: []
    })
    const ended = view(all([paste("line\r".repeat(312))]).state, { width: 80 }).rows
    assert.deepStrictEqual(
      ended.map(({ spans }) => textOf(spans)),
      ["[pasted 312 lines]"]
    )
  })

  it("shows an image as one chip", () => {
    const { state } = all([
      paste("/tmp/a.png"),
      { _tag: "ImagesFound", request: 1, images: [imageOf("/tmp/a.png")], refused: [] }
    ])
    assert.deepStrictEqual<unknown>(view(state, { width: 80 }).rows[0]?.spans, [
      { kind: "attachment", text: "[image a.png]" }
    ])
  })

  it("shows that a command will run", () => {
    const seen = view(all([type("!ls -l")]).state, { width: 80 })
    assert.strictEqual(seen.mode, "command")
    assert.deepStrictEqual<unknown>(seen.rows[0]?.spans, [{ kind: "command", text: "!ls -l" }])
  })

  it("shows control characters of a paste escaped", () => {
    const { state } = all([paste("a\u001B[2Jb\u0007")])
    assert.strictEqual(joined(view(state, { width: 80 })), String.raw`a\u{1b}[2Jb\u{7}`)
  })

  it("shows a joined emoji in its parts, and steps over it as one", () => {
    const { state } = all([type("a👩‍👩‍👧b1️⃣"), press("left"), press("left"), press("left")])
    const { cursor, rows } = view(state, { width: 80 })
    assert.deepStrictEqual([rows[0]?.spans, cursor.column], [[{ kind: "text", text: "a👩👩👧b1⃣" }], 1])
  })

  it("shows every notice, in as many rows as it needs", () => {
    const message = "it is not a PNG, JPEG, GIF or WebP image"
    const { state } = all([
      paste("/tmp/a.png"),
      { _tag: "ImagesFound", request: 1, images: [], refused: [{ path: "/tmp/a.png", message }] }
    ])
    assert.deepStrictEqual<unknown>(view(state, { width: 30 }).footer.map(textOf), [
      "/tmp/a.png: it is not a PNG,",
      "JPEG, GIF or WebP image"
    ])
  })

  it("offers the commands, one of them selected", () => {
    const { footer, mode } = view(all([type("/"), press("down")]).state, { width: 80 })
    assert.strictEqual(mode, "slash")
    assert.strictEqual(footer.length, 9)
    assert.deepStrictEqual(
      footer.map(([label]) => label?.kind === "selected"),
      [false, true, false, false, false, false, false, false, false]
    )
    assert.match(footer.at(-1)?.[0]?.text ?? "", /^… \d+ more$/u)
  })

  it("lays out a hundred thousand characters", thoroughOnly, () => {
    const { state } = all([paste("word ".repeat(20_000)), press("tab")])
    assert.isAbove(view(state, { width: 80, height: 10 }).above, 1000)
  })
})

it("Editor.initial is an empty row", () => {
  assert.deepStrictEqual<unknown>(view(Editor.initial, { width: 20 }), {
    vim: null,
    mode: "message",
    rows: [{ spans: [], ends: true }],
    cursor: { row: 0, column: 0 },
    above: 0,
    below: 0,
    footer: []
  })
})

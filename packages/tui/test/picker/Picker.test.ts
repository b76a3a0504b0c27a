/** Choosing from a list: by typing, by arrows, and never an item that is not shown. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Picker from "../../src/picker/Picker.ts"
import * as PickerRows from "../../src/picker/PickerRows.ts"
import * as Theme from "../../src/theme/Theme.ts"
import { anyColumns, anyText, assertRows, dark } from "../anyText.ts"
import { keyOf } from "../editor/typing.ts"

const items = [
  Picker.item("ses_1", { label: "add a health check", detail: "2 h ago", words: "the probe of kubernetes" }),
  Picker.item("ses_2", { label: "fix the parser", detail: "yesterday", preview: "it loops on an empty line" }),
  Picker.item("ses_3", { label: "release notes", detail: "3 d ago" })
]
const opened = Picker.make({ title: "Resume a session", verb: "opens it", items })

const pressed = (...chords: ReadonlyArray<string>): Picker.PickerResult => {
  let state: Picker.PickerResult = { _tag: "Open", picker: opened }
  for (const chord of chords) if (state._tag === "Open") state = Picker.press(state.picker, keyOf(chord))
  return state
}
const typed = (text: string): ReadonlyArray<string> => Array.from(text)

describe("Picker", () => {
  it("chooses by arrows, over the ends of the list", () => {
    assert.deepStrictEqual(pressed("enter"), { _tag: "Chosen", id: "ses_1" })
    assert.deepStrictEqual(pressed("down", "enter"), { _tag: "Chosen", id: "ses_2" })
    assert.deepStrictEqual(pressed("up", "enter"), { _tag: "Chosen", id: "ses_3" })
  })

  it("finds by label, detail, preview and further words, the label first", () => {
    assert.deepStrictEqual(pressed(...typed("kubern"), "enter"), { _tag: "Chosen", id: "ses_1" })
    assert.deepStrictEqual(pressed(...typed("empty line"), "enter"), { _tag: "Chosen", id: "ses_2" })
    assert.deepStrictEqual(pressed(...typed("re"), "enter"), { _tag: "Chosen", id: "ses_3" })
    assert.deepStrictEqual(pressed(...typed("rlsnts"), "enter"), { _tag: "Chosen", id: "ses_3" })
  })

  it("closes by Escape, and Enter chooses nothing if nothing matches", () => {
    assert.deepStrictEqual(pressed("x", "escape"), { _tag: "Closed" })
    assert.strictEqual(pressed(...typed("qqq"), "enter")._tag, "Open")
    assert.deepStrictEqual(pressed(...typed("qqq"), "ctrl-u", "enter"), { _tag: "Chosen", id: "ses_1" })
  })

  it("adds what a search found for the query that is still typed, once, and keeps the selected item", () => {
    const state = pressed(...typed("re"))
    if (state._tag !== "Open") return assert.fail("it is closed")
    const ids = ({ fitting }: Picker.PickerState) => fitting.map(({ id }) => id)
    const found = [items[1], Picker.item("ses_9", { label: "an old one", preview: "you: … read this" }), items[2]]
    assert.deepStrictEqual(ids(state.picker), ["ses_3"])
    assert.strictEqual(Picker.withSearchResults(state.picker, "r", found), state.picker)
    const with3 = Picker.withSearchResults(state.picker, "re", found)
    assert.deepStrictEqual(ids(with3), ["ses_3", "ses_2", "ses_9"])
    assert.include(PickerRows.view(with3, { columns: 60, rows: 20, theme: Theme.none }).rows.join("\n"), "3 of 4")
    const down = Picker.press(with3, keyOf("down"))
    if (down._tag !== "Open") return assert.fail("it is closed")
    const again = Picker.withSearchResults(down.picker, "re", [found[1], found[0]])
    assert.strictEqual(again.fitting[again.selected].id, "ses_2")
    const next = Picker.press(again, keyOf("backspace"))
    assert.deepStrictEqual(next._tag === "Open" ? ids(next.picker) : [], ["ses_2", "ses_3", "ses_1"])
  })

  it("starts at the current one, and with a query", () => {
    const asked = Picker.make({ title: "", verb: "", items, query: "parser" })
    assert.deepStrictEqual(Picker.press(asked, keyOf("enter")), { _tag: "Chosen", id: "ses_2" })
    const at = Picker.make({ title: "", verb: "", items, current: "ses_2" })
    assert.deepStrictEqual(Picker.press(at, keyOf("enter")), { _tag: "Chosen", id: "ses_2" })
  })

  it("shows the selected one with its preview and the number of matches", () => {
    const state = pressed(...typed("fix"))
    if (state._tag !== "Open") return assert.fail("it is closed")
    const { cursor, rows } = PickerRows.view(state.picker, { columns: 60, rows: 20, theme: Theme.none })
    assert.deepStrictEqual<ReadonlyArray<string>>(rows, [
      "Resume a session",
      "? fix",
      "› fix the parser  yesterday",
      "  it loops on an empty line",
      "type to filter · ↑↓ · Enter opens it · Esc closes · 1 of 3"
    ])
    assert.deepStrictEqual(cursor, { x: 5, y: 1 })
  })

  it.prop(
    "writes rows that fit and contain no terminal sequences, whatever it lists and the query",
    [Schema.Array(anyText), anyText, anyColumns],
    ([texts, query, columns]) => {
      const listed = texts.map((text, at) =>
        Picker.item(`${at}`, { label: text.join(""), detail: text.join(""), preview: text.join("") })
      )
      const picker = Picker.paste(Picker.make({ title: query.join(""), verb: "x", items: listed }), query.join(""))
      const { cursor, rows } = PickerRows.view(picker, { columns, rows: 10, theme: dark })
      assertRows(rows, columns)
      assert.isAtMost(rows.length, 10)
      assert.isBelow(cursor.x, columns)
    },
    { arbitrary: { runs: 100, size: 12 } }
  )
})

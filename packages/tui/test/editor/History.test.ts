/** History: up and down through sent messages, the unsent one kept; searched letter by letter. */
import { assert, describe, it } from "@effect/vitest"
import * as Editor from "../../src/editor/Editor.ts"
import { view } from "../../src/editor/EditorView.ts"
import { all, paste, press, shown, type } from "./typing.ts"

const loaded = (...entries: ReadonlyArray<string>): Editor.EditorState =>
  all([{ _tag: "HistoryLoaded", entries }]).state

const three = loaded("fix the tests", "run\nthe tests", "thanks")

const rowOf = (state: Editor.EditorState): string =>
  view(state, { width: 80 })
    .rows.map(({ spans }) => spans.map(({ text }) => text).join(""))
    .join("\n")

describe("History", () => {
  it("goes up and down, and keeps the draft", () => {
    const up = all([type("unsent"), press("left"), press("up")], three).state
    assert.strictEqual(shown(up), "thanks|")
    assert.strictEqual(shown(all([press("down")], up).state), "unsen|t")
    assert.strictEqual(shown(all([press("down"), press("down")], up).state), "unsen|t")
  })

  it("continues up from the first line, and down from the last", () => {
    const two = all([press("up"), press("up")], three).state
    assert.strictEqual(shown(two), "run|\nthe tests")
    assert.strictEqual(shown(all([press("up")], two).state), "fix the tests|")
    assert.strictEqual(shown(all([press("up"), press("up")], two).state), "fix the tests|")
    assert.strictEqual(shown(all([press("down")], two).state), "run\nthe| tests")
    assert.strictEqual(shown(all([press("down"), press("down")], two).state), "thanks|")
  })

  it("stores sent messages, equal ones only once in a row", () => {
    const { actions, state } = all([type("a"), press("enter"), type("a"), press("enter"), type("!b"), press("enter")])
    assert.deepStrictEqual(
      actions.flatMap((action) => (action._tag === "Remember" ? [action.text] : [])),
      ["a", "!b"]
    )
    assert.strictEqual(shown(all([press("ctrl-p"), press("ctrl-p")], state).state), "a|")
  })

  it("restores by undo the text that a recalled entry replaced", () => {
    const { state } = all([press("up"), type("!"), press("up"), press("ctrl-_")], three)
    assert.strictEqual(shown(state), "thanks!|")
  })

  it("puts the entries of the file before those sent since", () => {
    const { state } = all([
      type("new"),
      press("enter"),
      { _tag: "HistoryLoaded", entries: ["old"] },
      press("up"),
      press("up")
    ])
    assert.strictEqual(shown(state), "old|")
  })
})

describe("Search", () => {
  it("finds the newest that contains the letters, then older ones", () => {
    const first = all([press("ctrl-r"), type("test")], three).state
    assert.strictEqual(rowOf(first), "run\nthe tests")
    assert.strictEqual(view(first, { width: 80 }).mode, "search")
    const second = all([press("ctrl-r")], first).state
    assert.strictEqual(rowOf(second), "fix the tests")
    assert.strictEqual(rowOf(all([press("ctrl-r")], second).state), "fix the tests")
    assert.strictEqual(rowOf(all([press("backspace"), type("t")], second).state), "run\nthe tests")
  })

  it("inserts the match at Enter, and sends it only at another", () => {
    const { actions, state } = all([press("ctrl-r"), type("FIX"), press("enter")], three)
    assert.deepStrictEqual(actions, [])
    assert.strictEqual(shown(state), "|fix the tests")
    assert.deepInclude(all([press("enter")], state).actions, { _tag: "Submit", text: "fix the tests", images: [] })
    assert.strictEqual(shown(all([press("down")], state).state), "run\nthe tests|")
  })

  it("returns to the draft at Escape", () => {
    const { actions, state } = all([type("unsent"), press("ctrl-r"), type("fix"), press("escape")], three)
    assert.deepStrictEqual([actions, shown(state)], [[], "unsent|"])
  })

  it("reports that no entry matches, and then inserts nothing", () => {
    const { state } = all([type("unsent"), press("ctrl-r"), paste("nowhere\nx")], three)
    assert.include(JSON.stringify(view(state, { width: 80 }).footer), "no match")
    assert.strictEqual(shown(all([press("enter")], state).state), "unsent|")
  })

  it("inserts the match and moves in it", () => {
    assert.strictEqual(shown(all([press("ctrl-r"), type("fix"), press("ctrl-e")], three).state), "fix the tests|")
  })
})

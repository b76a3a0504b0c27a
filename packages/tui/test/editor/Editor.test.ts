/** Editor: for any keys and pastes, the text and its cursor stay consistent, and no text is lost. */
import { assert, describe, it } from "@effect/vitest"
import { sampled } from "../../../../test/thorough.ts"
import * as Editor from "../../src/editor/Editor.ts"
import { all, anyEdits, anyEvents, initial, paste, press, shown, texts, type } from "./typing.ts"

const many = { arbitrary: { runs: 400, size: 40 } }

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** Counted independently: every grapheme between the atoms, and the atoms. */
const boundaries = ({ draft: { marks, text } }: Editor.EditorState): ReadonlySet<number> => {
  const found = new Set([0])
  let at = 0
  const read = (end: number): void => {
    for (const { index, segment } of graphemes.segment(text.slice(at, end))) found.add(at + index + segment.length)
    at = end
  }
  for (const { _tag, end, start } of marks) {
    if (_tag === "Candidate") continue
    read(start)
    found.add(end)
    at = end
  }
  read(text.length)
  return found
}

const lineFeeds = (text: string): string => text.replace(/\r\n?/gu, "\n")

describe("Editor", () => {
  it.prop(
    "keeps the cursor on a boundary between graphemes, and its marks in order",
    [anyEvents],
    ([events]) => {
      let state = initial
      for (const event of events) {
        state = Editor.update(state, event).state
        const { draft } = state
        assert.include([...boundaries(state)], draft.cursor)
        let end = 0
        for (const mark of draft.marks) {
          assert.isAtLeast(mark.start, end)
          assert.isAbove(mark.end, mark.start)
          end = mark.end
        }
        assert.isAtMost(end, draft.text.length)
      }
    },
    sampled(many)
  )

  it.prop(
    "returns to the beginning by undo",
    [anyEdits],
    ([edits]) => {
      const { state } = all(edits)
      const undone = all(
        Array.from(edits, () => press("ctrl-_")),
        all([press("ctrl-g"), press("right")], state).state
      )
      assert.strictEqual(undone.state.draft.text, "")
    },
    sampled(many)
  )

  it.prop(
    "reverts one edit by one undo",
    [anyEdits, texts],
    ([edits, text]) => {
      const before = all([...edits, press("ctrl-g"), press("left")]).state
      const { state } = all([paste(`x${text}`)], before)
      const undone = all([press("ctrl-_")], state).state
      assert.deepStrictEqual(undone.draft, before.draft)
    },
    sampled(many)
  )

  it.prop(
    "sends a paste unchanged",
    [texts],
    ([text]) => {
      // A backslash before Enter is a line break.
      const pasted = `:${text}`.repeat(30).replace(/\\+$/u, "")
      const { actions, state } = all([paste(pasted), press("enter")])
      assert.deepInclude(actions, { _tag: "Submit", text: lineFeeds(pasted), images: [] })
      assert.strictEqual(state.draft.text, "")
    },
    many
  )

  it.prop(
    "sends the entire text of the editor, once",
    [anyEdits],
    ([edits]) => {
      const before = all([...edits, press("ctrl-g"), type("."), press("escape")]).state
      const { actions, state } = all([press("enter")], before)
      const sent = actions.filter(({ _tag }) => _tag !== "Remember")
      assert.isAtMost(sent.length, 1)
      if (sent[0]?._tag === "Submit") assert.strictEqual(sent[0].text, before.draft.text)
      assert.strictEqual(state.draft.text, sent.length === 1 ? "" : before.draft.text)
    },
    sampled(many)
  )

  it.each([
    ["ctrl-left", "one two.three|", "one two.|three"],
    ["alt-b", "one two.|three", "one |two.three"],
    ["ctrl-right", "|one two", "one| two"],
    ["alt-f", "one| two", "one two|"],
    ["ctrl-w", "ls one/two|", "ls |"],
    ["ctrl-w", "ls one  |", "ls |"],
    ["alt-backspace", "ls one/two|", "ls one/|"],
    ["alt-d", "|one two", "| two"],
    ["ctrl-k", "one\ntw|o\nthree", "one\ntw|\nthree"],
    ["ctrl-k", "one|\ntwo", "one|two"],
    ["ctrl-u", "one\ntw|o", "one\n|o"],
    ["ctrl-a", "one\ntw|o", "one\n|two"],
    ["ctrl-e", "o|ne\ntwo", "one|\ntwo"],
    ["ctrl-home", "one\ntw|o", "|one\ntwo"],
    ["up", "one\ntw|o", "on|e\ntwo"],
    ["down", "thre|e\none\nthree", "three\none|\nthree"],
    ["backspace", "a👩‍👩‍👧|b", "a|b"],
    ["backspace", "e\u0301|", "|"],
    ["delete", "|🇩🇪🇫🇷", "|🇫🇷"],
    ["left", "日本|", "日|本"],
    ["alt-enter", "one|two", "one\n|two"],
    ["shift-enter", "one|", "one\n|"],
    ["ctrl-j", "one|", "one\n|"],
    ["enter", "one\\|", "one\n|"],
    ["enter", "one\\| two", "one\n| two"],
    ["ctrl-d", "|one", "|ne"],
    ["ctrl-c", "one|", "|"]
  ])("%s on %j makes it %j", (chord, before, after) => {
    const cursor = before.indexOf("|")
    const draft = { text: before.replace("|", ""), cursor, marks: [] }
    const { actions, state } = all([press(chord)], { ...initial, draft })
    assert.strictEqual(shown(state), after)
    assert.deepStrictEqual(actions, [])
  })

  it("goes down to its original column", () => {
    const { state } = all([
      paste("a long line\n\nanother one"),
      press("ctrl-home"),
      press("end"),
      press("down"),
      press("down")
    ])
    assert.strictEqual(shown(state), "a long line\n\nanother one|")
  })

  it("goes up by visible rows", () => {
    const { state } = all([{ _tag: "Resized", width: 11 }, type("aaaa bbbb cccc dddd"), press("up")])
    assert.strictEqual(shown(state), "aaaa bbbb| cccc dddd")
  })

  it("restores consecutive kills as one", () => {
    const { state } = all([type("one two three"), press("ctrl-w"), press("ctrl-w"), press("ctrl-a"), press("ctrl-y")])
    assert.strictEqual(shown(state), "two three|one ")
  })

  it("undoes a typed word at a time", () => {
    const words = Array.from("one two", type)
    assert.strictEqual(shown(all([...words, press("ctrl-_")]).state), "one |")
    assert.strictEqual(shown(all([...words, press("ctrl-_"), press("ctrl-_")]).state), "|")
  })

  it("interrupts with an empty editor, and quits", () => {
    assert.deepStrictEqual(all([press("ctrl-c")]).actions, [{ _tag: "Interrupt" }])
    assert.deepStrictEqual(all([type("a"), press("escape")]).actions, [{ _tag: "Interrupt" }])
    assert.deepStrictEqual(all([press("ctrl-d")]).actions, [{ _tag: "Quit" }])
    assert.deepStrictEqual(all([type("a"), press("ctrl-c"), press("ctrl-_")]).state.draft.text, "a")
  })

  it("returns keys that it does not handle", () => {
    assert.deepStrictEqual(
      all([press("ctrl-l"), press("alt-x")]).actions.map((action) =>
        action._tag === "Unused" ? action.key.text : action
      ),
      ["l", "x"]
    )
  })

  it("sends nothing from an empty editor", () => {
    assert.deepStrictEqual(all([press("enter"), type(" "), press("ctrl-j"), press("enter")]).actions, [])
  })

  it("runs the command after an exclamation mark", () => {
    const { actions } = all([type("!git status"), press("enter")])
    assert.deepStrictEqual(actions, [
      { _tag: "RunCommand", command: "git status" },
      { _tag: "Remember", text: "!git status" }
    ])
  })

  it("runs no command of a collapsed paste", () => {
    const text = "!rm -rf .\n".repeat(20)
    assert.deepInclude(all([paste(text), press("enter")]).actions, { _tag: "Submit", text, images: [] })
  })

  it("keeps an unknown command, and says so", () => {
    const { actions, state } = all([type("/modle gpt"), press("enter")])
    assert.deepStrictEqual(actions, [])
    assert.strictEqual(state.draft.text, "/modle gpt")
    assert.include(state.notice, "there is no /modle")
  })

  it("sends a path at the beginning as text", () => {
    assert.deepInclude(all([type("/usr/bin/env is missing"), press("enter")]).actions, {
      _tag: "Submit",
      text: "/usr/bin/env is missing",
      images: []
    })
  })

  it("inserts a text of the host, and undo removes it", () => {
    const { state } = all([type("mine"), { _tag: "Replaced", text: "once\r\nmore" }])
    assert.strictEqual(shown(state), "once\nmore|")
    assert.strictEqual(shown(all([press("ctrl-_")], state).state), "mine|")
  })

  it("expands a collapsed paste with tab", () => {
    const text = "line\n".repeat(20)
    const { state } = all([paste(text), press("tab"), press("backspace")])
    assert.strictEqual(state.draft.text, text.slice(0, -1))
  })

  it("removes a collapsed paste with one backspace", () => {
    assert.strictEqual(shown(all([type("a"), paste("line\n".repeat(20)), press("backspace")]).state), "a|")
  })
})

/** vim's keys: each as vim has it, typing leaves a consistent text, and `u` and `.` treat a change as one. */
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import { sampled } from "../../../../test/thorough.ts"
import * as Editor from "../../src/editor/Editor.ts"
import * as EditorView from "../../src/editor/EditorView.ts"
import { all, anyEvents, paste, press, shown, syntax, texts, type } from "../editor/typing.ts"

const initial = Editor.make({ syntax, vim: true })
const escape = press("escape")

/** The state with a text and the cursor at `|`, in normal mode. */
const normal = (marked: string): Editor.EditorState => {
  const { state } = all([{ _tag: "Replaced", text: marked.replace("|", "") }, escape], initial)
  return { ...state, draft: { ...state.draft, cursor: marked.indexOf("|") } }
}

/** Characters as keys; `⎋` is Escape. */
const keys = (typed: string): ReadonlyArray<Editor.Event> =>
  Array.from(typed, (character) => (character === "⎋" ? escape : type(character)))

const after = (marked: string, typed: string): string => shown(all(keys(typed), normal(marked)).state)

/** The text before, the keys, the text afterwards. */
type Case = readonly [from: string, typed: string, to: string]

const moves: ReadonlyArray<Case> = [
  ["ab|c", "h", "a|bc"],
  ["|abc", "2l", "ab|c"],
  ["|abc", "9l", "ab|c"],
  ["|one, two", "w", "one|, two"],
  ["|one, two", "W", "one, |two"],
  ["|one, two", "2w", "one, |two"],
  ["|one, two", "e", "on|e, two"],
  ["one, tw|o", "b", "one, |two"],
  ["one, tw|o", "2B", "|one, two"],
  ["  one t|wo", "0", "|  one two"],
  ["  one t|wo", "^", "  |one two"],
  ["|one", "$", "on|e"],
  ["a\n|b\nc", "gg", "|a\nb\nc"],
  ["|a\nb\n c", "G", "a\nb\n |c"],
  ["|a\nb\nc", "2G", "a\n|b\nc"],
  ["|abc\nxyz", "lj", "abc\nx|yz"],
  ["abc\nx|yz", "k", "a|bc\nxyz"],
  ["|a-b-c", "f-", "a|-b-c"],
  ["|a-b-c", "2f-", "a-b|-c"],
  ["|a-b-c", "t-;", "a-|b-c"],
  ["a-b-|c", "F-;", "a|-b-c"],
  ["a-|b-c", "f-,", "a|-b-c"],
  ["|日本 語", "w", "日本 |語"],
  ["|a", "fz", "|a"]
]

const changes: ReadonlyArray<Case> = [
  ["|abc", "x", "|bc"],
  ["a|bc", "2x", "|a"],
  ["ab|c", "X", "a|c"],
  ["one |two three", "dw", "one |three"],
  ["one |two", "dw", "one| "],
  ["|one\ntwo", "dw", "|\ntwo"],
  ["|one two three", "2dw", "|three"],
  ["|one two three", "d2w", "|three"],
  ["one |two three", "de", "one | three"],
  ["one t|wo", "db", "one |wo"],
  ["one |two\nx", "D", "one| \nx"],
  ["one |two\nx", "d$", "one| \nx"],
  ["one |two", "d0", "|two"],
  ["a\n|b\nc", "dd", "a\n|c"],
  ["a\nb\n|c", "dd", "a\n|b"],
  ["|a\nb\nc", "2dd", "|c"],
  ["|a\nb\nc", "dj", "|c"],
  ["a\n|b\nc", "dG", "|a"],
  ["a\n|b\nc", "dgg", "|c"],
  ["|a-b", "df-", "|b"],
  ["|a-b", "dt-", "|-b"],
  ["|one two", "cwnew⎋", "ne|w two"],
  ["one t|wo", "ciwnew⎋", "one ne|w"],
  ["one |two three", "daw", "one |three"],
  ['say "h|i" x', 'ci"yo⎋', 'say "y|o" x'],
  ["f(a, |b)", "di(", "f(|)"],
  ["f(a, |b) x", "da(", "f| x"],
  ["a\n |b\nc", "ccnew⎋", "a\nne|w\nc"],
  ["one |two", "Cnew⎋", "one ne|w"],
  ["|abc", "sX⎋", "|Xbc"],
  ["|abc", "rX", "|Xbc"],
  ["|abc", "2rX", "X|Xc"],
  ["|ab", "3rX", "|ab"],
  ["|aBc", "2~", "Ab|c"],
  ["|ab", "xp", "b|a"],
  ["|a\nb", "ddp", "b\n|a"],
  ["|a\nb", "yyP", "|a\na\nb"],
  ["|a b", "ywP", "a| a b"],
  ["|ab", "ylp", "a|ab"],
  ["|a\n  b", "J", "a| b"],
  ["|bc", "ia⎋", "|abc"],
  ["a|b", "ac⎋", "ab|c"],
  ["  a|b", "Ix⎋", "  |xab"],
  ["|ab", "Ac⎋", "ab|c"],
  ["|a\nb", "ox⎋", "a\n|x\nb"],
  ["a\n|b", "Ox⎋", "a\n|x\nb"],
  ["|a", "3ix⎋", "xx|xa"],
  ["|one two three", "dw.", "|three"],
  ["|one two three", "cwX⎋w.", "X |X three"],
  ["|abcdef", "x2.", "|def"],
  ["|one", "A!⎋u", "on|e"],
  ["|one two", "cwa b c⎋u", "|one two"],
  ["|one two", "dwdwuu", "|one two"],
  ["|a", "2d⎋x", "|"],
  ["|a", "zz", "|a"]
]

const many = { arbitrary: { runs: 200, size: 40 } }

const commands = "d c y w b e $ 0 G gg i a o O p P x u . 2 J ~ rX fa ; iw a( X k j ⎋".split(" ")
const commandTexts = Schema.Array(Schema.Literals(commands))
const change = Arbitrary.schema(
  Schema.Literals(["dw", "dd", "cwnew⎋", "A more⎋", "ox⎋", "p", "x", "J", "~", "rX", "3iab⎋", "D", "ciwq⎋"])
)

describe("vim", () => {
  for (const [from, typed, to] of moves) {
    it(`moves by ${typed} from ${JSON.stringify(from)}`, () => assert.strictEqual(after(from, typed), to))
  }

  for (const [from, typed, to] of changes) {
    it(`changes ${JSON.stringify(from)} by ${typed}`, () => assert.strictEqual(after(from, typed), to))
  }

  it("starts in insert mode, shows its mode and a pending command, and starts the next prompt in insert mode", () => {
    const label = (state: Editor.EditorState) => EditorView.view(state, { width: 40 }).vim
    assert.strictEqual(label(initial), "INSERT")
    const written = all([type("two words"), escape], initial).state
    assert.strictEqual(label(written), "NORMAL")
    assert.strictEqual(label(all(keys("2d"), written).state), "NORMAL 2d")
    const sent = all([press("enter")], written)
    assert.deepStrictEqual(sent.actions[0], { _tag: "Submit", text: "two words", images: [] })
    assert.strictEqual(label(sent.state), "INSERT")
  })

  it("leaves Escape its meaning in normal mode, after it has ended a command", () => {
    const { actions, state } = all([escape, type("d"), escape], initial)
    assert.deepStrictEqual(actions, [])
    assert.deepStrictEqual(all([escape], state).actions, [{ _tag: "Interrupt" }])
  })

  it("handles characters that come together one by one", () => {
    assert.strictEqual(shown(all([type("ddihello")], normal("|old")).state), "hello|")
  })

  it.prop(
    "keeps the cursor on a grapheme, on a character in normal mode, and the marks in order",
    [anyEvents, commandTexts],
    ([events, typed]) => {
      let state = initial
      for (const event of [...events, escape, ...typed.flatMap(keys)]) {
        ;({ state } = Editor.update(state, event))
        const { draft } = state
        assert.isTrue(draft.cursor >= 0 && draft.cursor <= draft.text.length)
        let end = 0
        for (const mark of draft.marks) {
          assert.isAtLeast(mark.start, end)
          assert.isAbove(mark.end, mark.start)
          end = mark.end
          // The cursor never enters an image or a collapsed paste.
          if (mark._tag !== "Candidate") assert.isFalse(draft.cursor > mark.start && draft.cursor < mark.end)
        }
        assert.isAtMost(end, draft.text.length)
        const isBehind = draft.cursor === draft.text.length && draft.cursor > 0 && !draft.text.endsWith("\n")
        if (state.vim?.mode === "normal" && state.search === null) assert.isFalse(isBehind)
      }
    },
    sampled(many)
  )

  it.prop(
    "undoes each change by one u",
    [texts, change],
    ([text, typed]) => {
      const before = all([paste(text), escape, escape, ...keys("yl0")], initial).state
      const { state } = all(keys(typed), before)
      const isChanged = state.draft.text !== before.draft.text
      assert.strictEqual(all(isChanged ? keys("u") : [], state).state.draft.text, before.draft.text)
    },
    many
  )
})

/** TuiState: after any sequence of events, an approval is decided only by a deliberate key, and no draft is lost. */
import * as Keymap from "@bough/host/keys/Keymap"
import type { Approval, Event } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { keyOf } from "../../../../../packages/tui/test/editor/typing.ts"
import { sampled } from "../../../../../test/thorough.ts"
import * as Transcript from "../../../src/ui/tui/Transcript.ts"
import * as TuiState from "../../../src/ui/tui/TuiState.ts"
import * as Viewer from "../../../src/ui/tui/Viewer.ts"
import { recorded } from "../recorded.ts"
import { ahead, all, anyHappenings, initial, none, type Run, type } from "./happening.ts"

const many = { arbitrary: { runs: 500, size: 40 } }

const decisions = ({ actions }: Run) => actions.flatMap((action) => (action._tag === "Decide" ? [action] : []))
const inputs = ({ actions }: Run) => actions.flatMap((action) => (action._tag === "Want" ? [action.input._tag] : []))
const printed = ({ actions }: Run) => actions.flatMap((action) => (action._tag === "Print" ? action.blocks : []))
const written = ({ state }: Run): string => state.editor.draft.text

/** The approvals whose end is on the screen. */
const outcomes = (run: Run) => printed(run).flatMap((block) => (block._tag === "Approval" ? [block.asked] : []))

describe("TuiState", () => {
  it("asks for a text to find by the configured key, in the full-screen transcript only", () => {
    const keymap = Result.getOrThrow(Keymap.make({ "find in transcript": "f7" }))
    const view = Transcript.make(initial.view.sessionId, false)
    const viewer = Viewer.make({ title: "make it", isChild: false, entries: [], view }, false)
    const at = { columns: 80, rows: 24, isAlone: true, mayAnswer: true }
    const pressed = (state: TuiState.TuiState) =>
      TuiState.take(state, { _tag: "KeyPressed", key: keyOf("F7") }, at).state
    const found = pressed(TuiState.view({ ...initial, keymap }, viewer))
    assert.deepInclude(found.viewer, { draft: "", drafts: "search" })
    assert.isNull(pressed({ ...initial, keymap }).viewer)
    assert.isNull(pressed(TuiState.view(initial, viewer)).viewer?.draft)
  })

  it.prop(
    "shows the outcome of every approval that a key decides, and decides each at most once",
    [anyHappenings],
    ([happenings]) => {
      const run = all(happenings)
      const decided = decisions(run).map(({ asked }) => asked)
      assert.lengthOf(new Set(decided), decided.length)
      const open = run.state.questions.open.map(({ asked }) => asked)
      assert.deepStrictEqual(outcomes(run), decided)
      for (const asked of decided) {
        assert.include(run.asked, asked)
        assert.notInclude(open, asked)
      }
    },
    sampled(many)
  )

  it.prop(
    "shows once the recorded outcome of an approval that no key here has decided, or that another decision came before",
    [anyHappenings],
    ([happenings]) => {
      const run = all(happenings)
      const decided = new Map(decisions(run).map(({ asked, decision }) => [asked, decision]))
      const text = "your answer came too late: ada decided first, approved"
      for (const asked of run.asked) {
        const event = ended(asked.request)
        const shown = TuiState.show(run.state, event, 0)
        const decision = { _tag: "Approved" as const, rule: null }
        const pressed = decided.get(asked)
        const isSame = pressed?._tag === "Approved" && pressed.rule === null
        const late = isSame ? [] : [{ _tag: "Note" as const, text, tone: "error" as const }]
        const blocks = pressed === undefined ? [{ _tag: "Approval" as const, asked, decision, by: "ada" }] : late
        assert.deepStrictEqual(printed({ ...run, actions: shown.actions }), blocks)
        assert.notInclude(
          shown.state.questions.open.map((open) => open.asked),
          asked
        )
        assert.deepStrictEqual(TuiState.show(shown.state, event, 0).actions, [])
      }
    },
    many
  )

  it.prop(
    "accepts no answer from a paste, or from keys that came together with others",
    [Schema.Array(Schema.Literals(["paste", "y together", "enter together"])), anyHappenings],
    ([happenings, before]) => {
      const asking = all(["ask"], settled(all(before)))
      const run = all(happenings, asking)
      assert.deepStrictEqual(decisions(run), decisions(asking))
      assert.deepStrictEqual(run.state.editor, asking.state.editor)
    },
    many
  )

  it.prop(
    "accepts no key that was typed ahead as an answer, or as a request to show it again",
    [Schema.Array(Schema.Literals(ahead)), anyHappenings, Schema.Literals(["asking", "scope"])],
    ([happenings, before, stage]) => {
      const asking = all(stage === "asking" ? ["ask"] : ["ask", "a"], settled(all(before)))
      assert.strictEqual(asking.state.questions.open[0]?.stage, stage)
      const run = all(happenings, asking)
      assert.deepStrictEqual(run.actions, asking.actions)
      assert.deepStrictEqual(run.state.questions, asking.state.questions)
      assert.deepStrictEqual(run.state.editor, asking.state.editor)
    },
    many
  )

  it.prop(
    "restores the draft of the message after a reason was typed, however that ended",
    [
      Schema.String,
      Schema.Array(Schema.Literals(["x", "y", "paste", "backspace"])),
      Schema.Literals(["enter", "escape", "withdraw first"])
    ],
    ([message, words, end]) => {
      const writing = type(message)
      const run = all([...words, end], refusing(writing))
      assert.deepStrictEqual(run.state.editor, writing.state.editor)
    },
    many
  )

  it.prop(
    "keeps reason and message apart while another approval closes, and restores the message at the current width",
    [Schema.String, Schema.Literals(["enter", "escape", "withdraw first"])],
    ([message, end]) => {
      const writing = type(message)
      const two = all(["x", "ask"], refusing(writing))
      const narrower = { ...two, ...TuiState.edit(two.state, { _tag: "Resized", width: 33 }) }
      const words = all(["withdraw last"], narrower)
      assert.strictEqual(written(words), "x")
      const { editor } = all([end], words).state
      assert.deepStrictEqual(editor.draft, writing.state.editor.draft)
      assert.strictEqual(editor.width, 33)
    },
    many
  )

  it.prop(
    "stops the running work by Ctrl-C, whatever else is on the screen, and leaves that unchanged",
    [anyHappenings],
    ([happenings]) => {
      const before = all([...happenings, "turn begins"])
      const run = all(["ctrl-c"], before)
      assert.deepStrictEqual(inputs(run), [...inputs(before), "Interrupt"])
      assert.deepStrictEqual(run.state, before.state)
    },
    many
  )

  it.prop(
    "is left by two presses of Ctrl-C at the empty prompt, the first of which says so, and by nothing less",
    [anyHappenings],
    ([happenings]) => {
      let run = none
      for (const happening of happenings) {
        const before = run
        run = all([happening], before)
        if (!inputs(run).slice(inputs(before).length).includes("Quit")) continue
        assert.strictEqual(happening, "ctrl-c")
        assert.strictEqual(before.state.hint, "press Ctrl-C again to quit")
      }
    },
    many
  )

  it("sends a queued message by Tab, and any other by Enter", () => {
    for (const [key, waits] of [
      ["tab", true],
      ["enter", false]
    ] as const) {
      const { actions, state } = all([key], type("go", all(["turn begins"])))
      assert.deepInclude(actions, { _tag: "Want", input: { _tag: "Say", text: "go", media: [], waits } })
      assert.strictEqual(state.editor.draft.text, "")
    }
  })

  it("follows the terminal's report of its background, unless colours are off", () => {
    const answer = { _tag: "Answered", text: "11;rgb:ffff/ffff/ffff" } as const
    const at = { columns: 80, rows: 24, isAlone: true, mayAnswer: true }
    const coloured = TuiState.make({ variables: {}, model: initial.model, showsReasoning: false, workspaceRoot: "/w" })
    assert.notStrictEqual(TuiState.take(coloured, answer, at).state.theme, coloured.theme)
    assert.strictEqual(TuiState.take(initial, answer, at).state.theme, initial.theme)
  })
})

/** The user has an approval on the screen, and types a reason. */
const refusing = (writing: Run): Run => {
  const asking = all(written(writing) === "" ? ["ask", "n"] : ["ask", "tab", "n"], writing)
  assert.strictEqual(written(asking), "")
  return asking
}

/** No approval is open, nothing runs, and nothing is typed. */
const settled = (run: Run): Run => {
  const closed = run.state.questions.open.reduce((before) => all(["withdraw first"], before), run)
  const { state } = all(["turn ends"], closed)
  return { ...closed, state: { ...state, editor: initial.editor } }
}

const ended = ({ approvalId, sessionPath, toolCallId }: Approval.Request): Event.Event =>
  recorded(sessionPath[0], {
    _tag: "ApprovalDecided",
    approvalId,
    toolCallId,
    decision: { _tag: "Approved", rule: null },
    principal: "ada"
  })

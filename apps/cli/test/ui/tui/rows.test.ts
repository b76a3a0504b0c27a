/** The screen as rows: finished blocks, frames, the status line, for any text and any width. */
import type { NoteIndex } from "@bough/memory"
import type { Approval, Event, SessionResult } from "@bough/protocol"
import { Budget, Session } from "@bough/protocol"
import * as Editor from "@bough/tui/editor/Editor"
import * as EditorView from "@bough/tui/editor/EditorView"
import * as Theme from "@bough/tui/theme/Theme"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { anyColumns, anyText, assertRows, dark, runs } from "../../../../../packages/tui/test/anyText.ts"
import { sampled } from "../../../../../test/thorough.ts"
import * as IndexText from "../../../src/format/IndexText.ts"
import type { Block } from "../../../src/ui/tui/Block.ts"
import * as BlockRows from "../../../src/ui/tui/BlockRows.ts"
import { formatElapsed } from "../../../src/ui/tui/elapsed.ts"
import * as Frame from "../../../src/ui/tui/Frame.ts"
import * as Question from "../../../src/ui/tui/Question.ts"
import * as StatusLine from "../../../src/ui/tui/StatusLine.ts"
import * as Transcript from "../../../src/ui/tui/Transcript.ts"
import { recorded } from "../recorded.ts"
import { sceneOf } from "./sceneOf.ts"

const sessionId = Session.SessionId.make("ses_1")
const roles = new Map([["update_plan", "Plan" as const]])
const at = { sessionId, turn: 1, step: 1 }
const usage = { inputTokens: 10, cachedInputTokens: 0, outputTokens: 5, costUsd: null }
const toolCallId = Session.ToolCallId.make("t1")
const succeeded = (output: unknown, display: string) => ({
  _tag: "Succeeded" as const,
  output: JSON.stringify(output),
  outputBlob: null,
  media: [],
  display
})

const endedWith = (text: string): SessionResult.SessionResult => ({
  status: "Failed",
  reason: text,
  summary: "",
  output: null,
  artifacts: [],
  memoryIds: [],
  usage: Budget.nothing
})

const decisions = (text: string): ReadonlyArray<Extract<Block, { _tag: "Approval" }>["decision"]> => [
  { _tag: "Approved", rule: null },
  { _tag: "Approved", rule: `run_command command=${text}`, scope: "project" },
  { _tag: "Denied", words: text },
  { _tag: "Lapsed", reason: text }
]

const anyBlock = (text: string): ReadonlyArray<Block> => [
  { _tag: "Said", text, note: "for the next step" },
  { _tag: "Reasoning", text, isFolded: true },
  { _tag: "Reasoning", text, isFolded: false },
  {
    _tag: "Listing",
    entries: [
      [text, text],
      ["", text]
    ]
  },
  {
    _tag: "Call",
    tool: text,
    role: null,
    arguments: text,
    tier: "System",
    outcome: succeeded({ stdout: `${text}\n` }, text),
    wasAsked: false,
    hasOutput: true
  },
  {
    _tag: "Call",
    tool: text,
    role: null,
    arguments: text,
    tier: "Workspace",
    outcome: { ...succeeded({}, text), details: `${text}\n+${text}\n` },
    wasAsked: false,
    hasOutput: true
  },
  {
    _tag: "Call",
    tool: text,
    role: null,
    arguments: "{}",
    tier: null,
    outcome: { _tag: "Unknown", message: text },
    wasAsked: false,
    hasOutput: false
  },
  { _tag: "Command", command: text, outcome: succeeded(text, text), hasOutput: true },
  { _tag: "Note", text, tone: "error" },
  ...decisions(text).map((decision): Block => {
    const asked = { request: request(text), askedBy: [] }
    return { _tag: "Approval", asked, decision, by: text }
  }),
  { _tag: "ChildEnded", kind: "Worker", task: text, result: endedWith(text) },
  { _tag: "Ended", text }
]

describe("BlockRows", () => {
  it.prop(
    "writes rows that fit and contain no terminal sequences, whatever people, models and tools wrote",
    [anyText, anyColumns],
    ([text, columns]) => {
      for (const block of anyBlock(text.join(""))) {
        assertRows(BlockRows.rows(block, null, { columns, theme: dark }), columns)
        assertRows(BlockRows.unfoldedRows(block, null, { columns, theme: dark }), columns)
      }
    },
    sampled(runs)
  )
})

/** A reply with one call of any name and arguments. */
const asking = (said: string): Event.Event =>
  recorded(sessionId, {
    _tag: "ModelReplied",
    turn: 1,
    step: 1,
    completion: "complete",
    parts: [{ _tag: "ToolCall", toolCallId, providerCallId: "", name: said || "x", arguments: said }],
    usage
  })

const take = (view: Transcript.Transcript, events: ReadonlyArray<Event.Event>): Transcript.Change => {
  const blocks: Array<Block> = []
  for (const event of events) {
    const change = Transcript.take(view, event, 1000)
    blocks.push(...change.blocks)
    ;({ view } = change)
  }
  return { view, blocks }
}

describe("Transcript", () => {
  const replied = (...calls: ReadonlyArray<readonly [Session.ToolCallId, string, string]>): Event.Event =>
    recorded(sessionId, {
      _tag: "ModelReplied",
      turn: 1,
      step: 1,
      completion: "complete",
      parts: calls.map(([id, name, given]) => ({
        _tag: "ToolCall",
        toolCallId: id,
        providerCallId: "",
        name,
        arguments: given
      })),
      usage
    })
  const plan = [toolCallId, "update_plan", '{"items":[{"text":"look","status":"active"}]}'] as const
  const ended = recorded(sessionId, {
    _tag: "CallEnded",
    toolCallId,
    tool: "update_plan",
    outcome: succeeded({ done: 0, total: 1 }, "0 of 1 done"),
    receipt: null
  })

  it("finishes text before the call that follows it, and keeps the plan of the call", () => {
    const { blocks, view } = take(Transcript.startTurn(Transcript.make(sessionId, false, roles), 0), [
      { _tag: "TextDelta", ...at, text: "I " },
      { _tag: "TextDelta", ...at, text: "plan" },
      replied(plan),
      ended
    ])
    assert.deepStrictEqual(
      blocks.map(({ _tag }) => _tag),
      ["Answer", "Call"]
    )
    assert.deepStrictEqual(view.plan.current, { items: [{ text: "look", status: "active" }] })
    assert.deepStrictEqual([view.calls.length, view.usage.contextTokens, view.usage.total.outputTokens], [0, 15, 5])
  })

  it("removes a finished plan at the end of its turn, and prints it once", () => {
    const done = [toolCallId, "update_plan", '{"items":[{"text":"look","status":"done"}]}'] as const
    const started = Transcript.startTurn(Transcript.make(sessionId, false, roles), 0)
    const { blocks, view } = Transcript.finishTurn(take(started, [replied(done), ended]).view)
    assert.isNull(view.plan.current)
    assert.deepStrictEqual(
      blocks.map(({ _tag }) => _tag),
      ["Plan"]
    )
    assert.isEmpty(Transcript.finishTurn(Transcript.startTurn(view, 0)).blocks)
  })

  it("keeps an unfinished plan for one more turn, and for longer only if that turn changes it", () => {
    const turn = (before: Transcript.Transcript, ...events: ReadonlyArray<Event.Event>): Transcript.Change =>
      Transcript.finishTurn(take(Transcript.startTurn(before, 0), events).view)
    const states = ({ plan: { current, isEarlier } }: Transcript.Transcript) => [current !== null, isEarlier]
    const planned = turn(Transcript.make(sessionId, false, roles), replied(plan), ended).view
    assert.deepStrictEqual(states(planned), [true, true])
    const changed = take(Transcript.startTurn(planned, 0), [replied(plan), ended]).view
    assert.deepStrictEqual(states(changed), [true, false])
    assert.deepStrictEqual(states(Transcript.finishTurn(changed).view), [true, true])
    const left = turn(planned)
    assert.deepStrictEqual(states(left.view), [false, true])
    assert.isEmpty(left.blocks)
  })

  it("closes open blocks when the turn ends, and says whether they had started", () => {
    const other = Session.ToolCallId.make("t2")
    const { view } = take(Transcript.startTurn(Transcript.make(sessionId, false, roles), 0), [
      replied(plan, [other, "sleep", "{}"]),
      { _tag: "ToolStarted", ...at, toolCallId: other, tool: "sleep", tier: "ReadOnly" }
    ])
    const finished = Transcript.finishTurn(view)
    assert.deepStrictEqual(
      finished.blocks.map((block) =>
        block._tag === "Call" && block.outcome._tag === "NotRun" ? block.outcome.reason : block
      ),
      ["not run", "stopped before it finished"]
    )
    assert.isNull(finished.view.working)
  })

  it("counts the running agents until they end", () => {
    const child = Session.SessionId.make("ses_2")
    const { view } = take(Transcript.make(sessionId, false, roles), [
      recorded(child, { _tag: "StateChanged", state: "Suspended", reason: "" }),
      { _tag: "TextDelta", ...at, sessionId: child, text: "not ours" }
    ])
    assert.include(
      StatusLine.row(view, { name: "m", contextTokens: 100, effort: null }, 80),
      "1 agent running, 1 waiting"
    )
    assert.strictEqual(view.reply.answer.rest, "")
    const over = take(view, [recorded(child, { _tag: "StateChanged", state: "Completed", reason: "" })])
    const after = StatusLine.row(over.view, { name: "m", contextTokens: null, effort: "high" }, 80)
    assert.notInclude(after, "branch")
    assert.strictEqual<string>(after, "m · effort high")
  })

  it("begins with the mode in which no command is asked about, so that a narrow screen shows it", () => {
    const { view } = take(Transcript.make(sessionId, false, roles), [])
    const row = (allowsCommands: boolean) =>
      StatusLine.row(view, { name: "m", contextTokens: null, effort: null, allowsCommands }, 24)
    assert.match(row(true), /^ALL COMMANDS ALLOWED/)
    assert.notInclude(row(false), "ALLOWED")
  })
})

describe("IndexText", () => {
  const of = (way: typeof IndexText.bars, progress: ReadonlyArray<NoteIndex.IndexProgress | null>) => {
    const lines: Array<string> = []
    const listen = way((line) => lines.push(line))
    for (const at of progress) listen(at)
    return lines
  }
  const all = Array.from({ length: 201 }, (_, done) => ({ done, total: 200 }))

  it("has one line per bar, and no more lines than a bar has cells", () => {
    const lines = of(IndexText.bars, [...all, null])
    assert.deepStrictEqual(
      [lines.length, lines[0], lines[10], lines.at(-1)],
      [
        21,
        `  index ${"░".repeat(20)} 0/200`,
        `  index ${"█".repeat(10)}${"░".repeat(10)} 100/200`,
        `  index ${"█".repeat(20)} 200/200`
      ]
    )
  })

  it("has a sentence when it starts, and one when it completes, but none if it was interrupted", () => {
    assert.deepStrictEqual(of(IndexText.sentences, [...all.slice(0, 100), null, ...all, null]), [
      "building the index of 200 notes; until then notes are found by words only",
      "building the index of 200 notes; until then notes are found by words only",
      "the index of notes is built"
    ])
  })

  it("is in the last row while the index is built", () => {
    const row = (indexing: NoteIndex.IndexProgress | null) =>
      StatusLine.row(
        { ...Transcript.make(sessionId, false, roles), indexing },
        { name: "m", contextTokens: null, effort: null, folder: "app", branch: "main" },
        80
      )
    assert.strictEqual<string>(row({ done: 599, total: 600 }), "m · index 99% · app (main)")
    assert.notInclude(row(null), "index")
  })
})

const request = (render: string): Approval.Request => ({
  approvalId: Session.ApprovalId.make("apr_1"),
  sessionPath: [sessionId],
  toolCallId,
  tool: "run_command",
  version: 1,
  tier: "Elevated",
  arguments: "{}",
  argumentsDigest: "sha256:0",
  preview: { render, preconditions: [] },
  reason: render,
  askedAtMillis: 0,
  expiresAtMillis: 1
})

describe("Frame", () => {
  it.prop(
    "shows every row of an approval that counts as shown, with all of its keys, whatever else is on the screen",
    [
      anyText,
      Schema.Literals([38, 40, 80, 110]),
      Schema.Literals([10, 12, 24, 40]),
      Schema.Array(Schema.Literals(["More", "Back"])),
      Schema.Literals(["asking", "scope"])
    ],
    ([text, columns, rows, turns, stage]) => {
      const hostileText = text.join("")
      const { view } = take(Transcript.startTurn(Transcript.make(sessionId, true, roles), 0), [
        { _tag: "TextDelta", ...at, text: hostileText },
        asking(hostileText)
      ])
      const size = Frame.questionSize({ columns, rows, theme: dark })
      const approval = { request: request(hostileText.repeat(5)), askedBy: [] }
      const question = turns.reduce<Question.Question>(
        (before, to) => Object.assign({}, before, { position: Question.turnPage(before, to, size) }),
        { ...Question.make(approval, "run_command make", false), stage }
      )
      const draft = { ...Editor.initial, draft: { ...Editor.initial.draft, text: "a\nb\nc\nd" } }
      const height = Frame.editorHeight({ question, rows })
      const editor = EditorView.view(draft, { width: columns - Frame.promptWidth, height })
      const shown = Frame.layoutFrame({ ...sceneOf(view, columns, rows), question, editor, mayAnswer: true }).rows.join(
        "\n"
      )
      const body = Question.body(question, size)
      assert.isNotEmpty(body)
      assert.include(shown, [...body, ...Question.keys(question, size, true)].join("\n"))
      const waiting = Question.keys(question, size, false)
      assert.lengthOf(waiting, Question.keys(question, size, true).length)
      assert.notMatch(waiting.join("\n"), /yes|always|session/u)
    },
    sampled(runs)
  )

  it.prop(
    "is lower than the screen and no wider, with the cursor in it, whatever runs",
    [anyText, anyColumns, Schema.Literals([8, 10, 24, 50])],
    ([text, columns, rows]) => {
      const hostileText = text.join("")
      const { view } = take(Transcript.startTurn(Transcript.make(sessionId, true, roles), 0), [
        { _tag: "TextDelta", ...at, text: hostileText },
        asking(hostileText),
        { _tag: "ToolStarted", ...at, toolCallId, tool: hostileText, tier: "System" },
        { _tag: "ToolProgressed", ...at, toolCallId, tool: hostileText, message: hostileText },
        { _tag: "TextDelta", ...at, text: hostileText }
      ])
      const items = Array.from({ length: 20 }, () => ({ text: hostileText || "x", status: "pending" as const }))
      const plan = { current: { items }, isEarlier: false }
      const full = { ...view, plan, queued: { steering: [], followUps: [hostileText] } }
      const frame = Frame.layoutFrame(sceneOf(full, columns, rows))
      assertRows(frame.rows, columns)
      assert.isBelow(frame.rows.length, rows)
      assert.isBelow(frame.cursor.y, frame.rows.length)
    },
    runs
  )

  it("shows how long the work has taken", () => {
    const { rows } = Frame.layoutFrame({
      ...sceneOf(Transcript.startTurn(Transcript.make(sessionId, false, roles), 0), 80, 24),
      theme: Theme.none
    })
    assert.isTrue(rows.some((row) => row.includes("Working 1 min 05 s")))
    const written = new Map([
      [0, "0 s"],
      [59_999, "59 s"],
      [60_000, "1 min 00 s"],
      [69_999, "1 min 09 s"],
      [3_599_999, "59 min 59 s"],
      [3_600_000, "1 h 00 min"],
      [3_720_000, "1 h 02 min"]
    ])
    assert.deepStrictEqual<ReadonlyArray<string>>([...written.keys()].map(formatElapsed), [...written.values()])
  })
})

describe("Theme", () => {
  it("fits the background that the terminal reports", () => {
    assert.deepStrictEqual(
      ["11;rgb:ffff/ffff/ffff", "11;rgb:1e/1e/2e", "11;rgb:0/0/0", "10;rgb:ff/ff/ff", "11;red"].map((answer) => {
        const ground = Theme.groundOf(answer)
        return ground === null ? null : Theme.backgroundOf(ground)
      }),
      ["light", "dark", "dark", null, null]
    )
    assert.deepStrictEqual([{ COLORFGBG: "0;15" }, { COLORFGBG: "15;0" }, {}].map(Theme.guess), [
      "light",
      "dark",
      "dark"
    ])
  })
})

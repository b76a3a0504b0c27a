/** A transcript on a screen of its own: rows open in place, and invisible rows are not laid out. */
import * as Keymap from "@bough/host/keys/Keymap"
import { type Entry, type Event, Session, Usage } from "@bough/protocol"
import * as Theme from "@bough/tui/theme/Theme"
import { assert, describe, it } from "@effect/vitest"
import { keyOf } from "../../../../../packages/tui/test/editor/typing.ts"
import * as Children from "../../../src/ui/tui/Children.ts"
import * as ChildrenRows from "../../../src/ui/tui/ChildrenRows.ts"
import * as Transcript from "../../../src/ui/tui/Transcript.ts"
import * as Viewer from "../../../src/ui/tui/Viewer.ts"
import * as ViewerFrame from "../../../src/ui/tui/ViewerFrame.ts"
import { recorded } from "../recorded.ts"

const sessionId = Session.SessionId.make("ses_1")
const childId = Session.SessionId.make("ses_2")
const usage = { inputTokens: 900, cachedInputTokens: 0, outputTokens: 100, costUsd: 0.02 }
const room = { columns: 60, rows: 16, theme: Theme.none }

const entriesOf = (bodies: ReadonlyArray<Entry.Body>, of: Session.SessionId = sessionId): ReadonlyArray<Entry.Entry> =>
  bodies.flatMap((body, seq) => {
    const event = recorded(of, body, seq)
    return event._tag === "Recorded" ? [event.entry] : []
  })

const replied = (text: string, id: string | null = null): Entry.Body => ({
  _tag: "ModelReplied",
  turn: 1,
  step: 1,
  completion: "complete",
  usage,
  parts: [
    { _tag: "Reasoning", text: `thinking of ${text}` },
    { _tag: "Text", text },
    ...(id === null
      ? []
      : [
          {
            _tag: "ToolCall" as const,
            toolCallId: Session.ToolCallId.make(id),
            providerCallId: id,
            name: "run_command",
            arguments: JSON.stringify({ command: "make" })
          }
        ])
  ]
})

const ended = (id: string, stdout: string): Entry.Body => ({
  _tag: "CallEnded",
  toolCallId: Session.ToolCallId.make(id),
  tool: "run_command",
  outcome: {
    _tag: "Succeeded",
    output: JSON.stringify({ exitCode: 0, stdout }),
    outputBlob: null,
    media: [],
    display: `${id} exited with 0`
  },
  receipt: null
})

const numbered = (count: number): string => Array.from({ length: count }, (_, line) => `line ${line + 1}\n`).join("")

const opened = (entries: ReadonlyArray<Entry.Entry>, opens = false): Viewer.Viewer =>
  Viewer.make({ title: "make it", isChild: false, entries, view: Transcript.make(sessionId, false) }, opens)

const rowsOf = (viewer: Viewer.Viewer): ReadonlyArray<string> => ViewerFrame.layout(viewer, room).rows

const pressed = (viewer: Viewer.Viewer, ...chords: ReadonlyArray<string>): Viewer.Viewer =>
  chords.reduce((now, one) => {
    const next = Viewer.press(now, keyOf(one), room)
    if (next._tag !== "Open") return assert.fail(`${one}: ${next._tag}`)
    return next.viewer
  }, viewer)

const two = entriesOf([
  replied("First", "t1"),
  ended("t1", "one\ntwo\n"),
  replied("Then", "t2"),
  ended("t2", "three\n")
])

describe("Viewer", () => {
  it("opens and closes a call in place, and moves from one to the next", () => {
    const closed = opened(two)
    assert.notInclude(rowsOf(closed).join("\n"), "command: make")
    const open = pressed(closed, "enter")
    const rows = rowsOf(open)
    const at = rows.findIndex((row) => row.includes("t2 exited"))
    assert.match(rows[at], /^▾ ✓ t2 exited with 0$/)
    assert.deepStrictEqual(rows.slice(at + 1, at + 3), ["    command: make", "    │ three"])
    assert.deepStrictEqual(rowsOf(pressed(open, "enter")), rowsOf(closed))
    assert.include(rowsOf(pressed(closed, "up", "enter")).join("\n"), "thinking of Then")
    const both = pressed(closed, "a", "home")
    assert.include(rowsOf(both).join("\n"), "    │ two")
  })

  it("is as high as the screen, whatever is open, and scrolls to every row", () => {
    const long = opened(entriesOf([replied("Go", "t1"), ended("t1", numbered(200))]), true)
    const seen = new Set<string>()
    let viewer = pressed(long, "home")
    for (let page = 0; page < 40; page++) {
      const rows = rowsOf(viewer)
      assert.lengthOf(rows, room.rows - 1)
      for (const row of rows) seen.add(row.trim())
      viewer = pressed(viewer, "pageDown")
    }
    for (let line = 1; line <= 200; line++) assert.isTrue(seen.has(`│ line ${line}`), `${line}`)
    assert.isNull(viewer.top)
  })

  it("follows new rows, and shows a reply once, although it streamed before it was recorded", () => {
    const at = { sessionId, turn: 2, step: 1 }
    let viewer = Viewer.take(opened(two), { _tag: "TextDelta", ...at, text: "Coming" }, 0)
    assert.include(rowsOf(viewer).join("\n"), "Coming")
    viewer = Viewer.take(viewer, recorded(sessionId, replied("Coming in whole"), 9), 0)
    assert.lengthOf(
      rowsOf(viewer).filter((row) => row.trim().startsWith("Coming")),
      1
    )
    assert.match(rowsOf(viewer).join("\n"), /Coming in whole\n[\s\S]* out/)
  })

  it("lays out 10,000 lines for another width within 100 ms", () => {
    const bodies = Array.from({ length: 100 }, (_, call) => [
      replied(`Step ${call}`, `t${call}`),
      ended(`t${call}`, numbered(100))
    ])
    const viewer = pressed(opened(entriesOf(bodies.flat())), "a")
    const begun = performance.now()
    for (const columns of [100, 60, 80])
      ViewerFrame.layout(viewer, { columns, rows: 40, theme: Theme.themeFor("dark") })
    assert.isBelow((performance.now() - begun) / 3, 100)
  })

  it("always shows the way back among its keys, however narrow the screen is", () => {
    const view = Transcript.make(childId, false)
    const child = Viewer.make({ title: "look", isChild: true, entries: [], view }, false)
    for (const viewer of [child, opened(two), pressed(opened(two), "home"), pressed(opened(two), "/", "x", "enter")]) {
      for (const columns of [38, 60, 110]) {
        const row = ViewerFrame.layout(viewer, { ...room, columns }).rows.at(-1) ?? ""
        assert.include(row, "Esc", `${columns}`)
        assert.isAtMost(row.length, columns)
      }
    }
    assert.include(ViewerFrame.layout(child, { ...room, columns: 60 }).rows.at(-1), "s steer · x stop")
  })

  it("finds a text in rows that are folded or out of sight, marks it, and goes to the next and the previous one", () => {
    const theme = Theme.themeFor("dark")
    const marked = (viewer: Viewer.Viewer) =>
      ViewerFrame.layout(viewer, { ...room, theme }).rows.filter((row) => row.includes("\u001B[7mNeedle"))
    const output = `${numbered(100)}a Needle here\n${numbered(100)}`
    const long = opened(entriesOf([replied("First Needle", "t1"), ended("t1", output), replied("Last Needle")]))
    const type = (viewer: Viewer.Viewer, ...chords: ReadonlyArray<string>) =>
      pressed(pressed(viewer, "/", ...Array.from("Needle")), ...chords)
    const found = type(long, "enter")
    // The search goes up from the end: the reply, its reasoning, then the output.
    assert.match(rowsOf(found).join("\n"), /» {2}Last Needle|» Last Needle/u)
    assert.include(rowsOf(found).at(-1), "n next · N previous")
    assert.isNotEmpty(marked(found))
    const third = pressed(found, "N", "N")
    assert.include(rowsOf(third).join("\n"), "»   │ a Needle here")
    assert.lengthOf(marked(third), 1)
    assert.deepStrictEqual(rowsOf(pressed(third, "N", "n")), rowsOf(third))
    // After the last match it continues with the first one.
    assert.include(rowsOf(pressed(found, "n")).join("\n"), "thinking of First Needle")
    assert.isEmpty(marked(pressed(found, "escape")))
    assert.strictEqual(Viewer.press(pressed(found, "escape"), keyOf("escape"), room)._tag, "Closed")
  })

  it("finds a text across rows, without regard to case unless it has capitals, and says if there is none", () => {
    const words = `${"word ".repeat(20)}the end\n\nx${"y".repeat(100)}z a.b`
    const viewer = opened(entriesOf([replied(words)]))
    const found = (text: string) => {
      const after = pressed(pressed(viewer, "/", ...Array.from(text)), "enter")
      assert.strictEqual(rowsOf(after).at(-1)?.startsWith("not found"), after.search?.at === null)
      return after.search?.at !== null
    }
    for (const text of [
      "the end",
      "THE end".toLowerCase(),
      "word word word word word word word word the",
      "yyz",
      "a.b"
    ]) {
      assert.isTrue(found(text), text)
    }
    for (const text of ["The end", "axb", "endx", "(", "\\"]) assert.isFalse(found(text), text)
    assert.isTrue(found("x" + "y".repeat(100)))
  })

  it("sends a message to a child, and stops it only at the second key", () => {
    const view = Transcript.make(childId, false)
    const child = Viewer.make({ title: "find callers", isChild: true, entries: [], view }, false)
    const steered = Viewer.press(pressed(child, "s", "h", "i"), keyOf("enter"), room)
    assert.deepInclude(steered, { _tag: "Steered", sessionId: childId, text: "hi" })
    const afterX = pressed(child, "x")
    assert.include(rowsOf(afterX).at(-1), "x again stops it")
    assert.strictEqual(Viewer.press(afterX, keyOf("x"), room)._tag, "Stopped")
    assert.strictEqual(Viewer.press(pressed(afterX, "up"), keyOf("x"), room)._tag, "Open")
  })
})

describe("Children", () => {
  it("have a row each with task, tool, time, tokens and cost while they work", () => {
    const spawned = {
      _tag: "ChildSpawned",
      childId,
      kind: "Worker",
      toolCallId: Session.ToolCallId.make("t1"),
      title: "find who calls slug",
      budget: { inputTokens: null, outputTokens: null, costUsd: null, activeMillis: null, steps: null, spawns: null }
    } as const
    const at = { sessionId: childId, turn: 1, step: 1, toolCallId: Session.ToolCallId.make("c1") }
    let children = Children.applyEvent(Children.none, recorded(sessionId, spawned), 1_000)
    children = Children.applyEvent(children, recorded(childId, replied("look")), 2_000)
    children = Children.applyEvent(children, { _tag: "ToolStarted", ...at, tool: "grep", tier: "ReadOnly" }, 2_000)
    const rows = (nowMillis: number) =>
      ChildrenRows.rows(children, { columns: 72, keymap: Keymap.defaults, theme: Theme.none, nowMillis })
    assert.deepStrictEqual<ReadonlyArray<string>>(rows(13_000), [
      "  → worker “find who calls slug” · grep · 12 s · 1.0k tokens · $0.02",
      "  Ctrl-T opens one"
    ])
    children = Children.applyEvent(
      children,
      recorded(childId, { _tag: "StateChanged", state: "Completed", reason: "" } as never),
      9_000
    )
    assert.deepStrictEqual(rows(13_000), [])
    assert.strictEqual([...children.values()][0].endedAtMillis, 9_000)
  })

  it("show whether they think, write or use a tool", () => {
    const at = { sessionId: childId, turn: 1, step: 1 }
    const child: Children.Child = {
      sessionId: childId,
      kind: "Worker",
      task: "look",
      state: "Active",
      tool: "",
      isWriting: false,
      startedAtMillis: 0,
      endedAtMillis: null,
      usage: Usage.zero
    }
    let children: Children.Children = new Map([[childId, child]])
    const activity = (event: Event.Event): string => {
      children = Children.applyEvent(children, event, 0)
      return /· (\w+)/u.exec(ChildrenRows.factsOf(children.get(childId) ?? child, 0))?.[1] ?? ""
    }
    assert.strictEqual(activity({ _tag: "ReasoningDelta", ...at, text: "hm" }), "thinking")
    assert.strictEqual(activity({ _tag: "TextDelta", ...at, text: "I" }), "writing")
    const whileWriting = children
    assert.strictEqual(activity({ _tag: "TextDelta", ...at, text: " look" }), "writing")
    // A delta that changes nothing makes no new state.
    assert.strictEqual(children, whileWriting)
    assert.strictEqual(activity(recorded(childId, replied("I look"))), "thinking")
    activity({ _tag: "TextDelta", ...at, text: "Now" })
    const call = { toolCallId: Session.ToolCallId.make("c1"), tool: "grep", tier: "ReadOnly" } as const
    assert.strictEqual(activity({ _tag: "ToolStarted", ...at, ...call }), "grep")
    activity({ _tag: "TextDelta", ...at, text: "cut" })
    activity(recorded(childId, { _tag: "CallEnded", toolCallId: call.toolCallId } as never))
    assert.strictEqual(activity(recorded(childId, { _tag: "StepStarted", step: 2 } as never)), "thinking")
  })
})

/** The transcript as it grows: names, costs, reasoning, and the output of a running call. */
import { type Entry, type Event, Session } from "@bough/protocol"
import * as Theme from "@bough/tui/theme/Theme"
import { assert, describe, it } from "@effect/vitest"
import * as SentKey from "../../../src/session/SentKey.ts"
import type { Block } from "../../../src/ui/tui/Block.ts"
import * as BlockRows from "../../../src/ui/tui/BlockRows.ts"
import * as StatusLine from "../../../src/ui/tui/StatusLine.ts"
import * as Transcript from "../../../src/ui/tui/Transcript.ts"
import { recorded } from "../recorded.ts"

const sessionId = Session.SessionId.make("ses_1")
const toolCallId = Session.ToolCallId.make("t1")
const at = { sessionId, turn: 1, step: 1 }
const usage = { inputTokens: 10, cachedInputTokens: 0, outputTokens: 5, costUsd: null }
const initial = Transcript.make(sessionId, false)

const asking = (name: string): Event.Event =>
  recorded(sessionId, {
    _tag: "ModelReplied",
    turn: 1,
    step: 1,
    completion: "complete",
    parts: [{ _tag: "ToolCall", toolCallId, providerCallId: "", name, arguments: "{}" }],
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
  it("marks a cost that is partly an estimate, and titles the session by its first message", () => {
    const priced = { ...usage, costUsd: 0.02 }
    const cut = { _tag: "ModelReplied", turn: 1, step: 1, completion: "interrupted", parts: [], usage: priced } as const
    const model = { name: "m", contextTokens: null, effort: null, folder: "app" }
    const row = (...bodies: ReadonlyArray<Entry.Body>): string => {
      const events = bodies.map((body) => recorded(sessionId, body))
      return StatusLine.row(take(initial, events).view, model, 80)
    }
    assert.strictEqual(row(cut), "m · $0.02 · app")
    assert.strictEqual(row(cut, { ...cut, estimated: true }), "m · ~$0.04 · app")
    const userMessage = {
      _tag: "UserMessage",
      text: "add a health check\nplease",
      media: [],
      messageId: "msg_1"
    } as const
    assert.match(row({ ...userMessage, delivery: "prompt" } as never), /app · add a health check$/)
  })

  it("shows a message of another terminal when it joins the conversation, and not the user's own again", () => {
    const message = (messageId: string): Event.Event =>
      recorded(sessionId, { _tag: "UserMessage", text: "by the way", media: [], principal: "ada", messageId })
    const { blocks } = take(initial, [message("msg_1"), message(SentKey.make())])
    assert.deepStrictEqual(blocks, [{ _tag: "Said", text: "by the way", note: "sent from another terminal" }])
  })

  it("shows and counts what a tool asks the model", () => {
    const { blocks, view } = take(
      initial,
      [
        {
          _tag: "SamplingStarted",
          toolCallId,
          requester: "MCP server tickets",
          model: "own/model",
          reserved: usage,
          system: "Be brief",
          messages: [{ role: "user", text: "hello" }]
        },
        { _tag: "SamplingEnded", startedSeq: 1, toolCallId, model: "own/model", text: "yes", failure: null, usage },
        { _tag: "SamplingEnded", startedSeq: 2, toolCallId, model: "own/model", text: "", failure: "cut", usage }
      ].map((body) => recorded(sessionId, body as Entry.Body))
    )
    assert.deepStrictEqual(
      blocks.map((block) => (block._tag === "Note" ? block.text : block)),
      [
        "MCP server tickets asks own/model: 1 message, 13 characters",
        "own/model answered the tool: 3 characters, 15 tokens",
        "own/model gave the tool no answer: cut"
      ]
    )
    assert.deepInclude(view.usage.total, { inputTokens: 20, outputTokens: 10 })
  })

  it("collapses reasoning into one row that can be expanded, and shows the newest lines of a call", () => {
    const thinking = { _tag: "ReasoningDelta", ...at, text: "First thing.\nSecond thing.\n" } as const
    const { blocks, view } = take(initial, [
      thinking,
      { _tag: "TextDelta", ...at, text: "Done." },
      asking("run_command"),
      ...["a", "b", "10 %", "20 %", { message: "sent", percent: 30.5 }, { message: "sent", percent: 40 }, "c"].map(
        (line) => ({
          _tag: "ToolProgressed" as const,
          ...at,
          toolCallId,
          tool: "run_command",
          ...(typeof line === "string" ? { message: line } : line)
        })
      )
    ])
    const rows = BlockRows.rows(blocks[0], null, { columns: 60, theme: Theme.none })
    assert.deepStrictEqual<ReadonlyArray<string>>(rows, ["∴ Thought: First thing. · Ctrl-O opens it"])
    const whole = BlockRows.unfoldedRows(blocks[0], null, { columns: 60, theme: Theme.none })
    assert.deepStrictEqual<ReadonlyArray<string>>(whole, ["  First thing.", "  Second thing."])
    assert.deepStrictEqual(view.calls[0].progress, ["b", "20 %", "40 % sent", "c"])
  })
})

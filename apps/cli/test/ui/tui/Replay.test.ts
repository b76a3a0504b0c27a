/** Replay: the screen shows the newest part of a session, with the rows that were shown live. */
import { Budget, Entry, Session } from "@bough/protocol"
import * as Theme from "@bough/tui/theme/Theme"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as SentKey from "../../../src/session/SentKey.ts"
import type { Block } from "../../../src/ui/tui/Block.ts"
import * as BlockRows from "../../../src/ui/tui/BlockRows.ts"
import * as Replay from "../../../src/ui/tui/Replay.ts"
import * as Transcript from "../../../src/ui/tui/Transcript.ts"

const sessionId = Session.SessionId.make("ses_1")
const childId = Session.SessionId.make("ses_2")
const toolCallId = Session.ToolCallId.make("call")
const empty = Transcript.make(sessionId, false)
const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: null }
const outcome = { _tag: "Succeeded", output: `{"text":"whole"}`, outputBlob: null, media: [], display: "read" } as const

const userMessage = (text: string): Entry.Body => ({
  _tag: "UserMessage",
  text,
  media: [],
  principal: "ada",
  messageId: text
})
const replied: Entry.Body = {
  _tag: "ModelReplied",
  turn: 1,
  step: 1,
  completion: "complete",
  parts: [
    { _tag: "Text", text: "I read it." },
    { _tag: "ToolCall", toolCallId, providerCallId: "", name: "read_file", arguments: `{"path":"a"}` }
  ],
  usage
}
const ended: Entry.Body = { _tag: "CallEnded", toolCallId, tool: "read_file", outcome, receipt: null }
const spawned = {
  _tag: "ChildSpawned",
  childId,
  kind: "Worker",
  toolCallId,
  title: "look",
  budget: Budget.unlimited
} as const
const childEnded = {
  _tag: "ChildEnded",
  childId,
  result: {
    status: "Completed",
    reason: "",
    summary: "found",
    output: null,
    artifacts: [],
    memoryIds: [],
    usage: Budget.nothing
  }
} as const

const { steeringBlock: steering } = Transcript

const replay = (bodies: ReadonlyArray<Entry.Body>): Transcript.Change =>
  Replay.replay(
    empty,
    bodies.map((body, seq) => ({
      id: Entry.idOf(sessionId, seq),
      sessionId,
      seq,
      commit: seq,
      labels: [],
      digest: "",
      body
    }))
  )

describe("Replay", () => {
  it.prop(
    "shows the newest messages, and the number of earlier ones",
    // Only their number matters: random texts took two seconds to make.
    [Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 * Replay.maxShownBlocks }))],
    ([count]) => {
      const texts = Array.from({ length: count }, (_, at) => `message ${at}`)
      const { blocks } = replay(texts.map(userMessage))
      const blocksOf = texts.map((text, at): Block => (at === 0 ? { _tag: "Said", text, note: "" } : steering(text)))
      const newest = blocksOf.slice(-Replay.maxShownBlocks)
      const earlier = texts.length - newest.length
      assert.deepStrictEqual(
        blocks,
        earlier === 0
          ? newest
          : [{ _tag: "Note", text: `… ${earlier} earlier parts of this session`, tone: "plain" }, ...newest]
      )
    },
    { arbitrary: { runs: 50 } }
  )

  it("shows a message of another terminal once, as it was shown live", () => {
    const sent = { ...userMessage("by the way"), messageId: SentKey.make() } as Entry.Body
    const blocks = replay([userMessage("first"), sent]).blocks.filter(({ _tag }) => _tag === "Said")
    assert.deepStrictEqual(blocks, [
      { _tag: "Said", text: "first", note: "" },
      { _tag: "Said", text: "by the way", note: "sent from another terminal" }
    ])
  })

  it("shows a call below the text of its reply, with its arguments, and its result on demand", () => {
    const { blocks } = replay([userMessage("read a"), replied, ended])
    assert.deepStrictEqual(
      blocks.map(({ _tag }) => _tag),
      ["Said", "Answer", "Call"]
    )
    const call = blocks[2]
    assert.deepInclude(call, { tool: "read_file", arguments: `{"path":"a"}`, hasOutput: true })
    const rows = BlockRows.unfoldedRows(call, null, { columns: 60, theme: Theme.none })
    assert.strictEqual<string>(rows[1], "  path: a")
    assert.include(rows.join("\n"), "whole")
    const planned = { ...call, arguments: JSON.stringify({ items: [{ text: "Read", status: "done" }, "Go on"] }) }
    const listed = BlockRows.unfoldedRows(planned, null, { columns: 60, theme: Theme.none })
    assert.deepStrictEqual<ReadonlyArray<string>>(listed.slice(1, 5), [
      "  items:",
      "    - text: Read",
      "      status: done",
      "    - Go on"
    ])
  })

  it("shows how children ended, those that still run, and no reflections", () => {
    const other = { ...spawned, childId: Session.SessionId.make("ses_3") }
    const { blocks, view } = replay([spawned, other, childEnded])
    assert.deepStrictEqual(blocks, [{ _tag: "ChildEnded", kind: "Worker", task: "look", result: childEnded.result }])
    assert.deepStrictEqual([...view.tree.branches], [["ses_3", "Active"]])
    const purpose = "reflection"
    const reflected = replay([
      { ...spawned, purpose },
      { ...childEnded, purpose }
    ])
    assert.deepStrictEqual(reflected, {
      view: { ...empty, plan: reflected.view.plan },
      blocks: []
    })
  })
})

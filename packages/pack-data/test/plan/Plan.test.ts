import { Entry, Session, Usage } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { Plan } from "../../src/index.ts"

const sessionId = Session.SessionId.make("s")
const planCall = (toolCallId: string, name: string, parameters: unknown) => ({
  _tag: "ModelReplied",
  turn: 0,
  step: 0,
  completion: "complete",
  usage: Usage.zero,
  parts: [{ _tag: "ToolCall", toolCallId, providerCallId: "p", name, arguments: JSON.stringify(parameters) }]
})

const ended = (toolCallId: string, tool: string, isGood: boolean) => ({
  _tag: "CallEnded",
  toolCallId,
  tool,
  receipt: null,
  outcome: isGood
    ? { _tag: "Succeeded", output: "{}", outputBlob: null, media: [], display: "" }
    : { _tag: "NotRun", reason: "stopped" }
})

const journal = (...bodies: ReadonlyArray<unknown>): ReadonlyArray<Entry.Entry> =>
  bodies.map((body, seq) =>
    Schema.decodeUnknownSync(Entry.Entry)({
      id: Entry.idOf(sessionId, seq),
      sessionId,
      seq,
      commit: seq,
      labels: [],
      digest: "",
      body
    })
  )

const plan = (text: string) => ({ items: [{ text, status: "active" as const }] })

describe("the plan of a journal", () => {
  it("comes from the last call that succeeded, whatever was requested after it", () => {
    const entries = journal(
      planCall("1", "update_plan", plan("first")),
      ended("1", "update_plan", true),
      planCall("2", "update_plan", plan("second")),
      ended("2", "update_plan", true),
      planCall("3", "update_plan", plan("refused")),
      ended("3", "update_plan", false),
      planCall("4", "read_file", plan("of another tool")),
      ended("4", "read_file", true),
      planCall("5", "update_plan", plan("not yet ended"))
    )
    assert.deepStrictEqual(Plan.current(entries), plan("second"))
    assert.deepStrictEqual(Plan.current(entries.slice(0, 3)), plan("first"))
  })

  it("is null before the first", () => {
    assert.isNull(Plan.current(journal(planCall("1", "update_plan", plan("asked")))))
  })
})

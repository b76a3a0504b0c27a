/** EventText: numbers of tokens in the status line and in lists, and results of agents. */
import { Budget, Session } from "@bough/protocol"
import * as Theme from "@bough/tui/theme/Theme"
import { assert, describe, it } from "@effect/vitest"
import * as EventText from "../../src/format/EventText.ts"
import { recorded } from "../ui/recorded.ts"

describe("EventText", () => {
  it("formats numbers of tokens in few characters, and never as 1000k", () => {
    const shown = [999, 1000, 16_340, 99_949, 99_950, 200_000, 999_499, 999_500, 1_000_000, 1_050_000, 12_340_000]
    assert.deepStrictEqual(
      shown.map((count) => String(EventText.thousands(count))),
      ["999", "1.0k", "16.3k", "99.9k", "100k", "200k", "999k", "1M", "1M", "1.1M", "12.3M"]
    )
  })

  it("formats the result of an agent as one line, without escaped line feeds", () => {
    const result = { reason: "", summary: "## Found\n\n- a.ts\n", output: null, artifacts: [], memoryIds: [] }
    const ended = { ...result, status: "Completed" as const, usage: Budget.nothing }
    assert.strictEqual(
      EventText.childEnded({ kind: "Worker", task: "read\nthe docs" }, ended),
      "worker “read the docs” completed: ## Found - a.ts"
    )
  })

  it("shows below a call that was stopped the last lines that it had printed, each in its own row", () => {
    const message = `outcome unknown: it was stopped; its output so far:\n${[1, 2, 3, 4, 5, 6].map((line) => `line ${line}`).join("\n")}`
    const outcome = { _tag: "Unknown", message } as const
    const toolCallId = Session.ToolCallId.make("t1")
    const event = recorded(Session.SessionId.make("ses_1"), {
      _tag: "CallEnded",
      toolCallId,
      tool: "run_command",
      outcome,
      receipt: null
    })
    assert.deepStrictEqual(EventText.make()(event, { columns: 80, style: Theme.none }).map(String), [
      "? run_command: outcome unknown: it was stopped; its output so far:",
      ...[2, 3, 4, 5, 6].map((line) => `  line ${line}`)
    ])
  })
})

/** EventText: the rows of an event, such as the end of a call. */
import { Session } from "@bough/protocol"
import * as Theme from "@bough/tui/theme/Theme"
import { assert, describe, it } from "@effect/vitest"
import * as EventText from "../../src/format/EventText.ts"
import { recorded } from "../ui/recorded.ts"

describe("EventText", () => {
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

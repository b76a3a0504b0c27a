/** EventText: numbers of tokens in the status line and in lists, and results of agents. */
import { Budget } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as EventText from "../../src/format/EventText.ts"

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
})

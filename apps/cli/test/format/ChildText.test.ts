/** ChildText: the result of an agent in one line. */
import { Budget } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as ChildText from "../../src/format/ChildText.ts"

describe("ChildText", () => {
  it("formats the result of an agent as one line, without escaped line feeds", () => {
    const result = { reason: "", summary: "## Found\n\n- a.ts\n", output: null, artifacts: [], memoryIds: [] }
    const ended = { ...result, status: "Completed" as const, usage: Budget.nothing }
    assert.strictEqual(
      ChildText.childEnded({ kind: "Worker", task: "read\nthe docs" }, ended),
      "worker “read the docs” completed: ## Found - a.ts"
    )
  })
})

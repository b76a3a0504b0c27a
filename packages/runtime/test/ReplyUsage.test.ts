/** The counts of a reply that was cut off before its provider reported any. */
import { Budget } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as ReplyUsage from "../src/budget/ReplyUsage.ts"
import * as Reply from "../src/ports/Reply.ts"

const text = "ä".repeat(1000)

const cutWith = (limit: Partial<Budget.Limit>) => {
  const reply = Reply.empty()
  Reply.append(reply, { _tag: "Text", text })
  const model = { priced: true, inputPerMillionUsd: 1, outputPerMillionUsd: 10 }
  return ReplyUsage.usageOfCutReply({ budget: { limit: { ...Budget.unlimited, ...limit } }, model }, reply, 500)
}

describe("ReplyUsage", () => {
  it("counts a reply that was cut off with the most that it can have cost, under any limit of tokens or money", () => {
    for (const limit of [{ inputTokens: 1 }, { outputTokens: 1 }, { costUsd: 1 }]) {
      const { costUsd, inputTokens, outputTokens } = cutWith(limit)
      // A token for each byte, at least.
      assert.isAtLeast(outputTokens, 2 * text.length)
      assert.strictEqual(inputTokens, 500)
      assert.strictEqual(costUsd, (inputTokens + 10 * outputTokens) / 1_000_000)
    }
  })

  it("estimates it without a limit", () => {
    assert.isBelow(cutWith({ steps: 1 }).outputTokens, text.length)
  })
})

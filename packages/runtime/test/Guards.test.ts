/** The guards that stop a turn without progress. */
import type { Entry, Message } from "@bough/protocol"
import { Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as TurnGuards from "../src/session/TurnGuards.ts"

const call = (name: string, args = "{}"): Message.ToolCall => ({
  _tag: "ToolCall",
  toolCallId: Session.ToolCallId.make("c"),
  providerCallId: "p",
  name,
  arguments: args
})

const wrong: Entry.Outcome = {
  _tag: "Failed",
  error: { _tag: "ValidationError", message: "no", issues: [] },
  schema: null
}
const failed: Entry.Outcome = { _tag: "Failed", error: { _tag: "ExecutionError", message: "no" }, schema: null }

const repeatsOf = (...replies: ReadonlyArray<ReadonlyArray<Message.ToolCall>>) =>
  replies.reduce(TurnGuards.afterReply, TurnGuards.initial).repeats

describe("TurnGuards", () => {
  it("the same call in a row counts up, another one resets it", () => {
    assert.strictEqual(repeatsOf([call("a")], [call("a")]), 2)
    assert.strictEqual(repeatsOf([call("a")], [call("b")], [call("a")]), 1)
    assert.strictEqual(repeatsOf([call("a", "1")], [call("a", "2")]), 1)
  })

  it("equal calls in one reply are one attempt", () => {
    assert.strictEqual(repeatsOf([call("a"), call("a"), call("a")]), 1)
  })

  it("parallel failures of one step count once, and a valid call resets them", () => {
    const twice = [wrong, wrong].map((outcome) => ({ call: call("a"), outcome }))
    const one = TurnGuards.countResults(TurnGuards.initial, twice)
    assert.strictEqual(one.failing.get("a"), 1)
    const mixed = TurnGuards.countResults(one, [
      { call: call("a"), outcome: wrong },
      { call: call("a"), outcome: failed }
    ])
    assert.strictEqual(mixed.failing.get("a"), undefined)
  })

  it("compactions without effect count up until one is followed by a reply", () => {
    const twice = TurnGuards.countCompaction(TurnGuards.countCompaction(TurnGuards.initial, false), false)
    assert.strictEqual(twice.ineffective, TurnGuards.maxIneffective)
    const helped = TurnGuards.countCompaction(TurnGuards.countCompaction(TurnGuards.initial, false), true)
    assert.strictEqual(helped.ineffective, 1)
    assert.strictEqual(TurnGuards.afterReply(helped, []).ineffective, 0)
    const notHelped = TurnGuards.afterReply(TurnGuards.countCompaction(TurnGuards.initial, false), [])
    assert.strictEqual(notHelped.ineffective, 1)
  })

  it("a compaction after which the prompt is still too long had no effect, whatever it reported", () => {
    const once = TurnGuards.countTooLong(TurnGuards.countCompaction(TurnGuards.initial, true))
    assert.strictEqual(once.ineffective, 1)
    assert.strictEqual(TurnGuards.countTooLong(once).ineffective, 1)
  })

  it("three attempts of one tool exhaust it, of different tools they do not", () => {
    const step = (guards: TurnGuards.TurnGuards, name: string) =>
      TurnGuards.countResults(guards, [{ call: call(name), outcome: wrong }])
    assert.strictEqual(TurnGuards.exhaustedTool(["a", "a", "a"].reduce(step, TurnGuards.initial)), "a")
    assert.strictEqual(TurnGuards.exhaustedTool(["a", "b", "c"].reduce(step, TurnGuards.initial)), null)
    assert.strictEqual(TurnGuards.exhaustedTool(["a", "b", "a", "a"].reduce(step, TurnGuards.initial)), "a")
  })
})

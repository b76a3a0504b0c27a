/** What stops a turn that gets nowhere. */
import { assert, describe, it } from "@effect/vitest"
import type { Entry, Message } from "@bough/protocol"
import { Session } from "@bough/protocol"
import * as Guards from "../src/Guards.ts"

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
  replies.reduce(Guards.asked, Guards.initial).repeats

describe("Guards", () => {
  it("the same call in a row counts up, another one starts anew", () => {
    assert.strictEqual(repeatsOf([call("a")], [call("a")]), 2)
    assert.strictEqual(repeatsOf([call("a")], [call("b")], [call("a")]), 1)
    assert.strictEqual(repeatsOf([call("a", "1")], [call("a", "2")]), 1)
  })

  it("twins in one reply are one attempt", () => {
    assert.strictEqual(repeatsOf([call("a"), call("a"), call("a")]), 1)
  })

  it("parallel failures of one step count once, and a call that fits starts anew", () => {
    const twice = [wrong, wrong].map((outcome) => ({ call: call("a"), outcome }))
    const one = Guards.ended(Guards.initial, twice)
    assert.strictEqual(one.failing.get("a"), 1)
    const mixed = Guards.ended(one, [
      { call: call("a"), outcome: wrong },
      { call: call("a"), outcome: failed }
    ])
    assert.strictEqual(mixed.failing.get("a"), undefined)
  })

  it("compactions that do not help count up until one is followed by a reply", () => {
    const twice = Guards.compacted(Guards.compacted(Guards.initial, false), false)
    assert.strictEqual(twice.ineffective, Guards.maxIneffective)
    const helped = Guards.compacted(Guards.compacted(Guards.initial, false), true)
    assert.strictEqual(helped.ineffective, 1)
    assert.strictEqual(Guards.asked(helped, []).ineffective, 0)
    const notHelped = Guards.asked(Guards.compacted(Guards.initial, false), [])
    assert.strictEqual(notHelped.ineffective, 1)
  })

  it("a compaction after which the prompt is still too long did not help, whatever it looked like", () => {
    const once = Guards.tooLong(Guards.compacted(Guards.initial, true))
    assert.strictEqual(once.ineffective, 1)
    assert.strictEqual(Guards.tooLong(once).ineffective, 1)
  })

  it("three attempts of one tool exhaust it, of different tools they do not", () => {
    const step = (guards: Guards.Guards, name: string) => Guards.ended(guards, [{ call: call(name), outcome: wrong }])
    assert.strictEqual(Guards.exhausted(["a", "a", "a"].reduce(step, Guards.initial)), "a")
    assert.strictEqual(Guards.exhausted(["a", "b", "c"].reduce(step, Guards.initial)), null)
    assert.strictEqual(Guards.exhausted(["a", "b", "a", "a"].reduce(step, Guards.initial)), "a")
  })
})

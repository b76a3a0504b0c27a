/** Bodies that an earlier program stored with invalid counts of a provider. */
import { Entry } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as StoredCounts from "../src/StoredCounts.ts"

const decode = Schema.decodeUnknownSync(Entry.Body, { onExcessProperty: "error" })

const values = [-5, 1.5, 1e300, 2 ** 53, null, "12"]
const usage = { inputTokens: 1, cachedInputTokens: 1, outputTokens: 1, costUsd: 1 }
const spent = { inputTokens: 1, outputTokens: 1, costUsd: null, activeMillis: 1, steps: 1, spawns: 1 }
const ended = { status: "Completed", reason: "", summary: "", output: null, artifacts: [], memoryIds: [] }

const bodies = (value: unknown): ReadonlyArray<unknown> => [
  ...Object.keys(usage).map((name) => ({
    _tag: "ModelReplied",
    turn: 1,
    step: 1,
    completion: "complete",
    parts: [],
    usage: { ...usage, [name]: value }
  })),
  { _tag: "StepStarted", turn: 1, step: 1, model: "m", reservedTokens: value },
  ...Object.keys(spent).flatMap((name) => [
    { _tag: "SessionEnded", result: { ...ended, usage: { ...spent, [name]: value } } },
    { _tag: "ChildEnded", childId: "ses_1", result: { ...ended, usage: { ...spent, [name]: value } } }
  ])
]

describe("StoredCounts", () => {
  it.each(values)("reads %s as unknown, and the session opens", (value) => {
    for (const body of bodies(value)) assert.doesNotThrow(() => decode(StoredCounts.readable(body)))
  })

  it("leaves valid counts unchanged", () => {
    for (const body of bodies(7)) assert.strictEqual(StoredCounts.readable(body), body)
  })
})

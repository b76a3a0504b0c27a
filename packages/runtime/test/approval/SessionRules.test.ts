/** The rules that users give with decisions, without a store. */
import { Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SessionRules from "../../src/approval/SessionRules.ts"
import type { SessionStore } from "../../src/index.ts"
import type { Journal } from "../../src/journal/Journal.ts"
import * as SampleJournal from "../../src/testing/SampleJournal.ts"

const mainId = Session.SessionId.make("main")
const childId = Session.SessionId.make("child")

/** Gives the rule for a call of a child, and returns the number of entries that the Main's journal gets. */
const given = (known: ReadonlyArray<string>, rule: string) =>
  Effect.gen(function* () {
    let entries = 0
    const append = () => Effect.sync(() => void entries++)
    const main = { sessionId: mainId, state: { rules: known }, append }
    const rules = SessionRules.make({ main, saved: null, notice: () => Effect.void })
    const request = { ...SampleJournal.request(mainId, 1e15), sessionPath: [mainId, childId] }
    yield* rules.give({ _tag: "Approved", request, decision: { _tag: "Approved", rule }, principal: "ada" })
    return entries
  })

describe("a rule of a child's call", () => {
  it.effect("is recorded in the Main's journal once", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* given([], "run_command"), 1)
      assert.strictEqual(yield* given(["run_command"], "run_command"), 0)
      assert.strictEqual(yield* given(["run_command"], "write_file"), 1)
    })
  )
})

describe("the rules of a tree", () => {
  it("are those of its Main's journal at that moment", () => {
    const state = { rules: ["run_command"] }
    const main = { sessionId: mainId, state, append: () => Effect.void }
    const rules = SessionRules.make({ main, saved: null, notice: () => Effect.void })
    const tools = () => rules.now().map(({ tool }) => tool)
    assert.deepStrictEqual(tools(), ["run_command"])
    state.rules = ["write_file"]
    assert.deepStrictEqual(tools(), ["write_file"])
    state.rules = []
    assert.deepStrictEqual(tools(), [])
  })

  it.effect("are revoked by rows, which end also if the Main has no entry", () =>
    Effect.gen(function* () {
      const appended: Array<unknown> = []
      const revoked = (opened: object | null) => {
        const append = (batch: unknown) => Effect.sync(() => void appended.push(batch))
        const main = { treeId: mainId, state: { opened }, append } as unknown as Journal["Service"]
        const command = { _tag: "RevokeRule", rule: "run_command" } as const
        const row = { dedupeKey: "revoke", principal: "ada", command }
        const store = { inbox: () => Effect.succeed([row]) } as unknown as SessionStore.SessionStore["Service"]
        return SessionRules.revoke(store, main)
      }
      yield* revoked(null)
      yield* revoked({})
      const projections = [{ _tag: "InboxDone", dedupeKey: "revoke" }]
      assert.deepStrictEqual(appended, [
        { bodies: [], projections },
        { bodies: [{ _tag: "RuleRevoked", rule: "run_command", principal: "ada" }], projections }
      ])
    })
  )
})

describe("a rule that outlives its tree", () => {
  it.effect("is saved with its call, unless that is longer than a user reads or does not contain the host", () =>
    Effect.gen(function* () {
      const calls: Array<string | null> = []
      const saved: SessionRules.SavedRules = {
        now: () => [],
        save: ({ call }) => Effect.sync(() => void calls.push(call))
      }
      const main = { sessionId: mainId, state: { rules: [] }, append: () => Effect.void }
      const rules = SessionRules.make({ main, saved, notice: () => Effect.void })
      const decision = { _tag: "Approved", rule: "run_command", scope: "project" } as const
      for (const length of [5, 1001]) {
        const callArguments = JSON.stringify({ command: "x".repeat(length) })
        const request = { ...SampleJournal.request(mainId, 1e15), arguments: callArguments }
        yield* rules.give({ _tag: "Approved", request, decision, principal: "ada" })
      }
      const reaching = { ...SampleJournal.request(mainId, 1e15), arguments: "{}", reaches: "https://example.com/" }
      yield* rules.give({ _tag: "Approved", request: reaching, decision, principal: "ada" })
      assert.deepStrictEqual(calls, ["run_command command=xxxxx", null, null])
    })
  )
})

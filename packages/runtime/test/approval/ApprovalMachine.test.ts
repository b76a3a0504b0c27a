/**
 * Two users, an owner and another that takes over, a deadline, any end of the work, in trees of up to three sessions:
 * in every order, over the real session, gate, ledger and store. A model checker that finds nothing proves nothing: it
 * must find each broken variant. `exploreAll.ts` explores larger scopes by hand.
 */
import type { Approval } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import { isThorough, someOf, thorough } from "../../../../test/thorough.ts"
import { breakages } from "./breakages.ts"
import { explore, found } from "./machine.ts"
import * as Play from "./play.ts"
import { short, whole } from "./settings.ts"

const approved: Approval.Decision = { _tag: "Approved", rule: null }
const denied: Approval.Decision = { _tag: "Denied", words: null }
const withdrawn: Approval.Decision = { _tag: "Withdrawn", reason: "not needed" }

const deciders = {
  "ada denies, grace approves": { ada: denied, grace: approved },
  "ada approves, grace denies": { ada: approved, grace: denied },
  "ada approves, grace withdraws": { ada: approved, grace: withdrawn }
} as const

describe("An approval", () => {
  for (const [name, pair] of someOf(Object.entries(deciders), 1)) {
    it(`is decided once and used once in every order of a takeover: ${name}`, thorough, () => {
      const explored = explore({ ...whole, deciders: pair })
      assert.strictEqual(found(explored), "")
      assert.isAbove(explored.states, 50)
      assert.deepStrictEqual(
        [...explored.phases].toSorted(),
        ["approved", "consumed", "expired", name.endsWith("withdraws") ? "withdrawn" : "denied", "pending"].toSorted()
      )
    })
  }

  it("the same holds if another process acts before a read", () => {
    const explored = explore({ ...whole, restarts: 0, waitsToRead: true })
    assert.strictEqual(found(explored), "")
    assert.isAbove(explored.states, 40)
  })
})

describe("An approval of a deferred call", () => {
  for (const [name, pair] of someOf(Object.entries(deciders), 1)) {
    it(`is decided once and used once, before and after the deferral: ${name}`, thorough, () => {
      const explored = explore({ ...whole, deciders: pair, restarts: 0, graceMillis: Play.graceMillis })
      assert.strictEqual(found(explored), "")
      assert.isAbove(explored.states, 50)
    })
  }

  if (!isThorough) return
  it("the same holds if another process takes over", thorough, () => {
    const explored = explore({ ...whole, graceMillis: 0 })
    assert.strictEqual(found(explored), "")
    assert.isAbove(explored.states, 300)
  })
})

describe("An approval in a tree that may end", () => {
  for (const { name, setting } of someOf(short, 2)) {
    it(`is decided once, used once and never pending forever: ${name}`, thorough, () => {
      const explored = explore(setting)
      assert.strictEqual(found(explored), "")
      assert.isAbove(explored.states, 30)
      // In at least one order a user approved, and the call ran.
      if (setting.deciders.grace?._tag === "Approved") assert.isTrue(explored.phases.has("consumed"))
    })
  }
})

describe("The explorer of approvals", () => {
  it.each(someOf(breakages, 3))("finds $name", thorough, ({ broken, path, setting }) => {
    const { counterexample } = explore({ ...whole, ...setting })
    assert.deepStrictEqual([...(counterexample?.path ?? []), counterexample?.broken], [...path, broken])
  })
})

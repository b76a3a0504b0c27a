/**
 * Two people, an owner and another that takes over, a deadline: in every order, over the real session, gate, ledger and
 * store. A model checker that finds nothing proves nothing: each broken variant must be found.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Approval } from "@bough/protocol"
import * as Explore from "./Explore.ts"
import { breakages, intact } from "./breakages.ts"
import * as Play from "./play.ts"
import * as Rules from "./rules.ts"

const approved: Approval.Decision = { _tag: "Approved", rule: null }
const denied: Approval.Decision = { _tag: "Denied", words: null }
const withdrawn: Approval.Decision = { _tag: "Withdrawn", reason: "not needed" }

const deciders = {
  "ada approves, grace denies": { ada: approved, grace: denied },
  "ada denies, grace approves": { ada: denied, grace: approved },
  "ada approves, grace withdraws": { ada: approved, grace: withdrawn }
} as const

const whole: Play.Setting = {
  deciders: deciders["ada approves, grace denies"],
  store: intact,
  owner: intact,
  restarts: 1,
  waitsToRead: false,
  graceMillis: null
}

/** Also the phases that were come to. */
const explore = (setting: Play.Setting) => {
  const phases = new Set<Rules.Phase>()
  const explored = Explore.explore<Play.View, string>({
    initial: Play.play(setting, []),
    steps: ({ steps }) => steps,
    next: ({ path }, step) => Play.play(setting, [...path, step]),
    keyOf: ({ key }) => key,
    broken: (view, before) => {
      phases.add(Rules.phaseOf(view))
      return Rules.broken(view, before)
    }
  })
  return { ...explored, phases }
}

const found = ({ counterexample }: ReturnType<typeof explore>): string =>
  counterexample === null ? "" : Explore.describe(counterexample)

describe("An approval", () => {
  for (const [name, pair] of Object.entries(deciders)) {
    it(`is decided once and used once in every order of a takeover: ${name}`, { timeout: 120_000 }, () => {
      const explored = explore({ ...whole, deciders: pair })
      assert.strictEqual(found(explored), "")
      assert.isAbove(explored.states, 100)
      assert.deepStrictEqual(
        [...explored.phases].toSorted(),
        ["approved", "consumed", "expired", name.endsWith("withdraws") ? "withdrawn" : "denied", "pending"].toSorted()
      )
    })
  }

  it("is so also when others come between a process and what it is about to read", { timeout: 120_000 }, () => {
    const explored = explore({ ...whole, restarts: 0, waitsToRead: true })
    assert.strictEqual(found(explored), "")
    assert.isAbove(explored.states, 50)
  })
})

describe("An approval of a call that is put aside", () => {
  for (const [name, pair] of Object.entries(deciders)) {
    it(`is decided once and used once, before and after that: ${name}`, { timeout: 120_000 }, () => {
      const explored = explore({ ...whole, deciders: pair, restarts: 0, graceMillis: Play.graceMillis })
      assert.strictEqual(found(explored), "")
      assert.isAbove(explored.states, 100)
    })
  }

  it("is so also when another process takes over", { timeout: 120_000 }, () => {
    const explored = explore({ ...whole, graceMillis: 0 })
    assert.strictEqual(found(explored), "")
    assert.isAbove(explored.states, 500)
  })
})

describe("The explorer of approvals", () => {
  it.each(breakages)("finds $name", { timeout: 120_000 }, ({ broken, path, setting }) => {
    const { counterexample } = explore({ ...whole, ...setting })
    assert.deepStrictEqual([...(counterexample?.path ?? []), counterexample?.broken], [...path, broken])
  })
})

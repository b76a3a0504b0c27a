import { assert, describe, it } from "@effect/vitest"
import * as Explore from "./Explore.ts"

type Place = "out" | "wants" | "in"

/** Two processes that share a lock with a race. `at`: the step of each; `taken`: the state of the lock. */
interface Room {
  readonly at: readonly [Place, Place]
  readonly taken: boolean
}

/** A process reads the lock and takes it in one step, or in two. */
const room = (atomic: boolean): Explore.Machine<Room, string> => ({
  initial: { at: ["out", "out"], taken: false },
  steps: ({ at, taken }) =>
    [0, 1].flatMap((who) => {
      if (at[who] === "in") return [`${who} leaves`]
      if (at[who] === "wants") return [`${who} enters`]
      return taken ? [] : [atomic ? `${who} enters` : `${who} looks`]
    }),
  next: ({ at, taken }, step) => {
    const who = Number(step[0])
    const to: Place = step.endsWith("enters") ? "in" : step.endsWith("looks") ? "wants" : "out"
    return {
      at: who === 0 ? [to, at[1]] : [at[0], to],
      taken: to === "in" ? true : to === "out" ? false : taken
    }
  },
  keyOf: (state) => JSON.stringify(state),
  broken: ({ at }) => (at[0] === "in" && at[1] === "in" ? "both are in" : null)
})

describe("Explore", () => {
  it("visits every state once, and every transition from it", () => {
    assert.deepStrictEqual(Explore.explore(room(true)), { states: 3, transitions: 4, counterexample: null })
  })

  it("finds a violation by a shortest path, and prints the path", () => {
    const { counterexample } = Explore.explore(room(false))
    assert.isNotNull(counterexample)
    assert.strictEqual(
      Explore.describe(counterexample),
      "1. 0 looks\n2. 1 looks\n3. 0 enters\n4. 1 enters\nbroken: both are in"
    )
    assert.deepStrictEqual(counterexample.state.at, ["in", "in"])
  })

  it("finds a violation in the initial state", () => {
    const { counterexample } = Explore.explore({ ...room(true), broken: () => "everything" })
    assert.deepStrictEqual(counterexample?.path, [])
  })
})

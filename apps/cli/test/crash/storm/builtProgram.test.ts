/** The built program, killed at random, with a model over HTTP: `storm.ts --built` plays more rounds by hand. */
import { assert, describe, it } from "@effect/vitest"
import { thoroughOnly } from "../../../../../test/thorough.ts"
import * as BuiltProgram from "./builtProgram.ts"

const seeds = [1, 2, 3, 4, 5, 6]

describe("A storm over the built program", () => {
  it.each(seeds)("loses no decision, and runs no effect twice: seed %i", thoroughOnly, async (seed) => {
    const { decisions, faults, kills } = await BuiltProgram.play(seed)
    assert.deepStrictEqual(faults, [], `seed ${seed}`)
    assert.isAbove(kills, 0)
    assert.isAbove(decisions, 0)
  })
})

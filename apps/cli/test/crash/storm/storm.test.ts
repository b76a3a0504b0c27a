/**
 * Trees whose owners are killed and terminated at random while other processes decide: `storm.ts` plays hundreds of
 * rounds by hand.
 */
import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Program from "../../../../../test/bundle.ts"
import { someOf, thorough } from "../../../../../test/thorough.ts"
import * as Round from "./round.ts"

const seeds = someOf(
  Array.from({ length: 10 }, (_, index) => 100 + index),
  1
)

describe("A storm over trees", () => {
  it("loses no decision, and no effect happens twice", thorough, async () => {
    const folder = mkdtempSync(join(tmpdir(), "bough-storm-program-"))
    try {
      const bundled = (name: string) => Program.bundle(new URL(name, import.meta.url), join(folder, name))
      const programs = { owner: await bundled("owner.ts"), decider: await bundled("decider.ts"), deciderShare: 0.2 }
      // Two at a time, for two processors.
      const halves = [seeds.filter((_, index) => index % 2 === 0), seeds.filter((_, index) => index % 2 === 1)]
      const faults: Array<string> = []
      await Promise.all(
        halves.map(async (half) => {
          for (const seed of half) {
            const round = await Round.play(programs, seed)
            faults.push(...round.faults.map((fault) => `seed ${seed}: ${fault}`))
            if (faults.length > 0) return
          }
        })
      )
      // Asserted when both have ended, because the programs are removed after it.
      assert.deepStrictEqual(faults, [])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

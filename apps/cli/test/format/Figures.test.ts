/** Figures: numbers of tokens in the status line and in lists, and costs. */
import { assert, describe, it } from "@effect/vitest"
import * as Figures from "../../src/format/Figures.ts"

describe("Figures", () => {
  it("formats numbers of tokens in few characters, and never as 1000k", () => {
    const shown = [999, 1000, 16_340, 99_949, 99_950, 200_000, 999_499, 999_500, 1_000_000, 1_050_000, 12_340_000]
    assert.deepStrictEqual(
      shown.map((count) => String(Figures.thousands(count))),
      ["999", "1.0k", "16.3k", "99.9k", "100k", "200k", "999k", "1M", "1M", "1.1M", "12.3M"]
    )
  })

  it("formats amounts shortly, and rounds no cost to zero", () => {
    assert.deepStrictEqual<ReadonlyArray<string>>([0, 999, 1000, 16_349].map(Figures.thousands), [
      "0",
      "999",
      "1.0k",
      "16.3k"
    ])
    assert.deepStrictEqual<ReadonlyArray<string>>([0.000_02, 0.009_99, 0.01, 2.5].map(Figures.dollars), [
      "$0.00002",
      "$0.00999",
      "$0.01",
      "$2.50"
    ])
    const usage = { inputTokens: 1200, cachedInputTokens: 0, outputTokens: 3 }
    assert.strictEqual<string>(Figures.usage({ ...usage, costUsd: null }), "1.2k tokens in · 3 out")
    assert.strictEqual<string>(Figures.usage({ ...usage, costUsd: 0.5 }), "1.2k tokens in · 3 out · $0.50")
  })
})

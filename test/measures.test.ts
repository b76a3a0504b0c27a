/** Tests of the measures of rankings in the benchmark `recall`. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Measures from "../bench/src/retrieval/Measures.ts"

const rounding = 1e-9

describe("Measures", () => {
  it("match the definitions", () => {
    const { ndcgAt10, recallAt5, reciprocalRank } = Measures.qualityOf(["x", "old", "new"], { new: 2, old: 1 })
    assert.approximately(recallAt5, 1, rounding)
    assert.approximately(reciprocalRank, 1 / 3, rounding)
    assert.approximately(ndcgAt10, (1 / Math.log2(3) + 3 / Math.log2(4)) / (3 + 1 / Math.log2(3)), rounding)
    const late = Measures.qualityOf(["a", "b", "c", "d", "e", "right"], { right: 2, other: 2 })
    assert.approximately(late.recallAt5, 0, rounding)
    assert.approximately(late.reciprocalRank, 1 / 6, rounding)
    assert.approximately(Measures.qualityOf([], { right: 2 }).ndcgAt10, 0, rounding)
  })

  it.prop(
    "rate no ranking above the ideal one",
    [Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 })))],
    ([input]) => {
      const grades = Object.fromEntries([...input, 2].map((grade, id) => [String(id), grade]))
      const ids = Object.keys(grades)
      const ideal = ids.toSorted((left, right) => grades[right] - grades[left])
      assert.approximately(Measures.qualityOf(ideal, grades).ndcgAt10, 1, rounding)
      assert.isAtMost(Measures.qualityOf(ids, grades).ndcgAt10, 1 + rounding)
    }
  )

  it("count a pair in order as one, a tie as half", () => {
    assert.approximately(Measures.areaUnderCurve([0.9, 0.5], [0.5, 0.1]), 3.5 / 4, rounding)
  })

  it("put the mean of a difference inside of its interval, and a constant one at a point", () => {
    const { high, low, mean } = Measures.difference([1, 0, 1, 1, 0.5], [0, 0, 1, 0, 0.5])
    assert.isTrue(low <= mean && mean <= high && low < high)
    assert.deepStrictEqual(Measures.difference([1, 0.5], [0.5, 0]), { mean: 0.5, low: 0.5, high: 0.5 })
  })
})

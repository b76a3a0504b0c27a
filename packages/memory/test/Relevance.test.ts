/** Tests of how likely a note answers: a number with the same meaning in every store and for every model. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { Relevance } from "../src/index.ts"

const Weight = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 5 }))
const Similarity = Schema.Finite.check(Schema.isBetween({ minimum: -1, maximum: 1 }))

const weights = (found: ReadonlyArray<number>, missing = 0) => ({
  all: Math.max(...found, 0) + missing,
  found: new Map(found.map((weight, row) => [row, weight]))
})
const similar = (values: ReadonlyArray<number>) => values.map((similarity, row) => ({ row, similarity }))

describe("Relevance", () => {
  it.prop(
    "gives every row a number from 0 to 1, the higher the more of the query it contains",
    [Schema.Array(Weight), Schema.Array(Similarity), Weight],
    ([found, similarities, missing]) => {
      const likely = Relevance.relevanceOf(weights(found, missing), similar(similarities))
      assert.lengthOf([...likely.keys()], Math.max(found.length, similarities.length))
      for (const score of likely.values()) assert.isTrue(score >= 0 && score <= 1)
      const byWords = Relevance.relevanceOf(weights(found, missing), [])
      found.forEach((left, row) =>
        found.forEach((right, other) => {
          if (left > right) assert.isAtLeast(byWords.get(row) ?? 0, byWords.get(other) ?? 0)
        })
      )
    },
    { arbitrary: { runs: 100, size: 30 } }
  )

  it.prop(
    "depends on no model's scale of similarity",
    [Schema.Array(Similarity), Schema.Finite.check(Schema.isBetween({ minimum: 0.01, maximum: 1 })), Similarity],
    ([similarities, scale, offset]) => {
      const distinct = [...new Set(similarities.map((value) => Math.round(value * 100) / 100))]
      const here = Relevance.relevanceOf(weights([1, 0.5], 1), similar(distinct))
      const there = Relevance.relevanceOf(
        weights([1, 0.5], 1),
        similar(distinct.map((value) => value * scale + offset))
      )
      for (const [row, score] of here) assert.approximately(there.get(row) ?? -1, score, 1e-6)
    }
  )

  it("is sure of a note with all of three rare words, and not of a note with one common word", () => {
    const sure = Relevance.relevanceOf(weights([2.7]), []).get(0) ?? 0
    assert.strictEqual(Relevance.confidenceOf(sure), "sure")
    const maybe = Relevance.relevanceOf(weights([0.9], 1.8), []).get(0) ?? 0
    assert.deepStrictEqual([Relevance.confidenceOf(maybe), Relevance.fits(maybe)], ["maybe", false])
  })

  it("does not accept similar meaning alone as an answer, and uses it to confirm similar words", () => {
    const alone = Relevance.relevanceOf(weights([]), similar([0.9, ...Array.from({ length: 49 }, () => 0.1)]))
    assert.isBelow(alone.get(0) ?? 1, 0.5)
    const half = weights([0.9], 0.9)
    const confirmed = Relevance.relevanceOf(half, similar([0.9, 0.3, 0.2, 0.2])).get(0) ?? 0
    assert.isAbove(confirmed, Relevance.relevanceOf(half, []).get(0) ?? 1)
  })

  it("halves the confidence if too many notes match equally well", () => {
    const [one, six] = [1, 6].map(
      (count) => Relevance.relevanceOf(weights(Array.from({ length: count }, () => 2)), []).get(0) ?? 0
    )
    assert.approximately(six, one / 2, 1e-9)
  })
})

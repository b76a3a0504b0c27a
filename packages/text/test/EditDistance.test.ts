/** Compares the edit distance of words with the recursive definition. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { EditDistance } from "../src/index.ts"

/** The definition, as a recursion. */
const plain = (a: string, b: string): number => {
  if (a === "" || b === "") return a.length + b.length
  const same = a.at(-1) === b.at(-1) ? 0 : 1
  const swapped = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)
  return Math.min(
    plain(a.slice(0, -1), b) + 1,
    plain(a, b.slice(0, -1)) + 1,
    plain(a.slice(0, -1), b.slice(0, -1)) + same,
    swapped ? plain(a.slice(0, -2), b.slice(0, -2)) + 1 : Infinity
  )
}

const Word = Schema.Array(Schema.Literals(["a", "b", "c"])).check(Schema.isMaxLength(6))
const Most = Schema.Literals([0, 1, 2, 3, 7])

describe("EditDistance", () => {
  it.prop("equals the definition, up to the requested distance", [Word, Word, Most], ([left, right, most]) => {
    const [a, b] = [left.join(""), right.join("")]
    const far = plain(a, b)
    assert.strictEqual(EditDistance.distance(a, b), far)
    assert.strictEqual(EditDistance.distance(a, b, most), Math.min(far, most + 1))
  })

  it("compares long words, too", () => {
    assert.strictEqual(EditDistance.distance("a".repeat(300), "b".repeat(200)), 300)
    assert.strictEqual(EditDistance.distance("raed", "read"), 1)
  })
})

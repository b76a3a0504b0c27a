/** Tests of short differences between two outputs. */
import { Difference } from "@bough/receipts"
import { assert, describe, it } from "@effect/vitest"

const of = (was: unknown, is: unknown) => Difference.differencesOf(JSON.stringify(was), JSON.stringify(is))

describe("Difference", () => {
  it("names the changed, removed and new places, up to a few", () => {
    assert.deepStrictEqual(
      of({ a: [1, { b: "x" }], same: [1], gone: null }, { a: [1, { b: "y" }], same: [1], more: 2 }),
      [
        { path: "a.1.b", expected: "x", found: "y" },
        { path: "gone", expected: "null", found: "nothing" },
        { path: "more", expected: "nothing", found: "2" }
      ]
    )
    assert.lengthOf(
      of(
        Array.from({ length: 99 }, (_, at) => at),
        []
      ),
      5
    )
    assert.deepStrictEqual(of({ a: [] }, { a: {} }), [{ path: "a", expected: "[]", found: "{}" }])
  })

  it("truncates long texts to where they differ", () => {
    const [{ expected, found }] = of(`${"a".repeat(1_000)}b${"c".repeat(1_000)}`, "a".repeat(1_000))
    assert.match(expected, /^…a{40}bc{159}…$/)
    assert.match(found, /^…a{40}$/)
  })

  it("compares values that are not JSON, or equal in another spelling, as text", () => {
    assert.deepStrictEqual(Difference.differencesOf("[1", "[2"), [{ path: "", expected: "[1", found: "[2" }])
    assert.deepStrictEqual(Difference.differencesOf("[1]", "[1 ]"), [{ path: "", expected: "[1]", found: "[1 ]" }])
    assert.deepStrictEqual(Difference.differencesOf('{"__proto__":1}', "{}"), [
      { path: "__proto__", expected: "1", found: "nothing" }
    ])
  })
})

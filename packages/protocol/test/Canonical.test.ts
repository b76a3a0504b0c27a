/** One spelling for every JSON value. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Canonical from "../src/Canonical.ts"

/** Returns the same value with its members in the opposite order, at every depth. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reversed(member)])
  )
}

const wide = Schema.Record(Schema.String, Schema.Json)

describe("Canonical", () => {
  it.prop("a value and its spelling are the same value", [Schema.Json], ([value]) => {
    assert.deepStrictEqual(JSON.parse(Canonical.stringify(value)), JSON.parse(JSON.stringify(value)))
  })

  it.prop("the order of members does not matter", [wide], ([value]) => {
    assert.strictEqual(Canonical.stringify(reversed(value)), Canonical.stringify(value))
  })

  it.prop(
    "members come in the order of their UTF-16 code units, also of wide objects",
    [Schema.Array(Schema.String)],
    ([some]) => {
      const many = [...some, ...Array.from({ length: some.length % 2 === 0 ? 30 : 0 }, (_, index) => `k${index}`)]
      const value = Object.fromEntries(many.filter((key) => key !== "__proto__").map((key) => [key, 1]))
      const spelled = [...Canonical.stringify(value).matchAll(/"((?:[^"\\]|\\.)*)":/g)].map(
        ([, key]) => JSON.parse(`"${key}"`) as string
      )
      assert.deepStrictEqual(spelled, Object.keys(value).toSorted())
    }
  )

  it("members that are undefined are omitted, and values that JSON cannot represent are refused", () => {
    assert.strictEqual(Canonical.stringify({ b: undefined, a: [1, "é", -0, 1e21] }), '{"a":[1,"é",0,1e+21]}')
    assert.throws(() => Canonical.stringify({ a: Number.NaN }), /NaN/)
    assert.throws(() => Canonical.stringify({ a: () => 1 }), /function/)
  })

  it("a chain depends on everything before it", () => {
    const one = Canonical.chain("", "{}")
    assert.notStrictEqual(Canonical.chain(one, "{}"), one)
    assert.notStrictEqual(Canonical.chain(one, "{}"), Canonical.chain(Canonical.chain("", "[]"), "{}"))
  })
})

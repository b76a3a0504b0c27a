/** Tests of the scanner against the parser of the language. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as JsonFault from "../../src/internal/jsonFault.ts"

const isJson = (text: string): boolean => Result.isSuccess(Result.try(() => JSON.parse(text) as unknown))

const runs = { arbitrary: { runs: 1000, size: 20 } }

const damage = Schema.Struct({
  at: Schema.Natural,
  text: Schema.Literals(["", '"', "\\", ",", ":", "}", "{", "]", "1", "-", ".", "e", "\n", "\u0001", "\u00a0", "tru"])
})

const found = (text: string): string => {
  const fault = JsonFault.find(text)
  return fault === null ? "no fault" : `${JsonFault.place(text, fault.offset)}: ${fault.problem}`
}

describe("jsonFault", () => {
  it.prop(
    "finds none in what was written",
    [Schema.Json],
    ([value]) => {
      for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) assert.isNull(JsonFault.find(text))
    },
    runs
  )

  it.prop(
    "finds one exactly where the language refuses, or loses a number, at a place within the text",
    [Schema.Json, damage],
    ([value, { at, text }]) => {
      const whole = JSON.stringify(value)
      const place = at % (whole.length + 1)
      const damaged = whole.slice(0, place) + text + whole.slice(place + 1)
      const fault = JsonFault.find(damaged)
      if (isJson(damaged)) assert.isTrue(fault === null || fault.problem.includes("too large"), damaged)
      else assert.isNotNull(fault, damaged)
      assert.isTrue(fault === null || (fault.offset >= 0 && fault.offset <= damaged.length))
    },
    runs
  )

  it.each([
    ["", "line 1, column 1: the text ends where a value should"],
    ['{"a": 1,\n "b": nul}', 'line 2, column 7: "n" stands where a value should'],
    ['{"a": 1,\n}', 'line 2, column 1: "}" stands where a key in double quotes should'],
    ["{'a': 1}", 'line 1, column 2: "\'" stands where a key in double quotes or "}" should'],
    ["[1 2]", 'line 1, column 4: "2" stands where "," or the closing bracket should'],
    ["[1]]", 'line 1, column 4: "]" stands where nothing more should'],
    ["01", 'line 1, column 2: "1" stands where nothing more should'],
    ['["a\nb"]', "line 1, column 4: a control character stands unescaped in a string"],
    [String.raw`["\x"]`, "line 1, column 3: no escape that JSON knows"],
    ['["a', "line 1, column 4: the text ends within a string"],
    ["[1, 1e999]", "line 1, column 5: a number too large for a double"]
  ])("says where and what: %j", (text, expected) => {
    assert.strictEqual(found(text), expected)
  })

  it("takes nesting that can be written again, and no more", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth)
    assert.strictEqual(found(nested(500)), "no fault")
    assert.strictEqual(found(nested(501)), "line 1, column 501: nested deeper than 500")
    assert.strictEqual(found("[".repeat(1_000_000)), "line 1, column 501: nested deeper than 500")
  })

  it("finds one where there are more values than are read without a pause", () => {
    const of = (count: number): string => `[${"1,".repeat(count - 2)}1]`
    assert.isNull(JsonFault.find(of(JsonFault.maxValues)))
    assert.strictEqual(JsonFault.find(of(JsonFault.maxValues + 1))?.problem, "more than 50,000 values")
  })
})

/** Tests of the scanner against the parser of the language. */
import * as StrictJson from "@bough/protocol/StrictJson"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { sampled } from "../../../../test/thorough.ts"
import { limits } from "../../src/internal/jsonText.ts"

const isJson = (text: string): boolean => Result.isSuccess(Result.try(() => JSON.parse(text) as unknown))

const runs = { arbitrary: { runs: 1000, size: 20 } }

const damage = Schema.Struct({
  at: Schema.Natural,
  text: Schema.Literals(["", '"', "\\", ",", ":", "}", "{", "]", "1", "-", ".", "e", "\n", "\u0001", "\u00a0", "tru"])
})

const find = (text: string) => StrictJson.findFault(text, limits)

const found = (text: string): string => {
  const fault = find(text)
  return fault === null ? "no fault" : `${StrictJson.lineAndColumn(text, fault.offset)}: ${fault.message}`
}

describe("jsonText", () => {
  it.prop(
    "finds no fault in generated JSON",
    [Schema.Json],
    ([value]) => {
      for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) assert.isNull(find(text))
    },
    sampled(runs)
  )

  it.prop(
    "finds a fault exactly if the language refuses, or loses a number, at a position within the text",
    [Schema.Json, damage],
    ([value, { at, text }]) => {
      const whole = JSON.stringify(value)
      const place = at % (whole.length + 1)
      const damaged = whole.slice(0, place) + text + whole.slice(place + 1)
      const fault = find(damaged)
      if (isJson(damaged)) assert.isTrue(fault === null || fault.message.includes("too big"), damaged)
      else assert.isNotNull(fault, damaged)
      assert.isTrue(fault === null || (fault.offset >= 0 && fault.offset <= damaged.length))
    },
    sampled(runs)
  )

  it.each([
    ["", "line 1, column 1: it ends too early"],
    ['{"a": 1,\n "b": nul}', "line 2, column 7: expected a value"],
    ['{"a": 1,\n}', "line 2, column 1: expected a key in double quotes"],
    ["{'a': 1}", "line 1, column 2: expected a key in double quotes"],
    ["[1 2]", 'line 1, column 4: expected "," or "]"'],
    ["[1]]", "line 1, column 4: expected nothing more after the value"],
    ["01", "line 1, column 2: expected nothing more after the value"],
    ['["a\nb"]', "line 1, column 4: a control character in a string must be escaped"],
    [String.raw`["\x"]`, "line 1, column 3: this escape does not exist in JSON"],
    ['["a', "line 1, column 2: this string does not end"],
    ["[1, 1e999]", "line 1, column 5: this number is too big"]
  ])("reports place and fault: %j", (text, expected) => {
    assert.strictEqual(found(text), expected)
  })

  it("accepts nesting that can be written again, and no deeper one", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth)
    assert.strictEqual(found(nested(500)), "no fault")
    assert.strictEqual(found(nested(501)), "line 1, column 501: nested deeper than 500")
    assert.strictEqual(found("[".repeat(1_000_000)), "line 1, column 501: nested deeper than 500")
  })

  it("reports more values than are read without a pause", () => {
    const of = (count: number): string => `[${"1,".repeat(count - 2)}1]`
    assert.isNull(find(of(limits.maxValues)))
    assert.strictEqual(find(of(limits.maxValues + 1))?.message, "it holds more than 50,000 values")
  })
})

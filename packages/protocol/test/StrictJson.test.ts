/** Tests of the scanner against the parser of the language. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { sampled } from "../../../test/thorough.ts"
import { findAmbiguity, locate, maxValues, parse } from "../src/StrictJson.ts"

const native = (text: string) => Result.try(() => JSON.parse(text) as unknown)

const hasKey = (text: string, wanted: string): boolean => {
  let found = false
  JSON.parse(text, (key, value: unknown) => {
    found ||= key === wanted
    return value
  })
  return found
}

const runs = { arbitrary: { runs: 1000, size: 20 } }

const damage = Schema.Struct({
  at: Schema.Natural,
  text: Schema.Literals(["", '"', "\\", ",", "}", "{", "1", "\n", "\u0001"])
})

describe("StrictJson", () => {
  it.prop(
    "parses its own output, as the language does",
    [Schema.Json],
    ([value]) => {
      for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
        const result = parse(text)
        if (hasKey(text, "__proto__")) assert.isTrue(Result.isFailure(result))
        else assert.deepStrictEqual(Result.getOrThrow(result), JSON.parse(text))
      }
    },
    sampled(runs)
  )

  it.prop(
    "refuses the texts that the language refuses, at a position within the text",
    [Schema.Json, damage],
    ([value, { at, text }]) => {
      const whole = JSON.stringify(value)
      const place = at % (whole.length + 1)
      const damaged = whole.slice(0, place) + text + whole.slice(place + 1)
      const result = parse(damaged)
      if (Result.isFailure(native(damaged))) {
        assert.isTrue(Result.isFailure(result), damaged)
        if (Result.isFailure(result)) assert.isTrue(result.failure[0].offset <= damaged.length)
      } else if (Result.isSuccess(result)) assert.deepStrictEqual(result.success, JSON.parse(damaged))
      // The parser may refuse more than the language does: the damage may have made two keys equal.
      else assert.match(result.failure[0].message, /twice|__proto__|too big/u)
    },
    runs
  )

  it("accepts the language's blanks between all parts, and no other character", () => {
    const taken = Array.from({ length: 0x3001 }, (_, code) => String.fromCharCode(code)).filter((c) => {
      const text = [c, "[", c, "1", c, ",", c, "{", c, '"a"', c, ":", c, "2", c, "}", c, "]", c].join("")
      assert.strictEqual(Result.isSuccess(parse(text)), Result.isSuccess(native(text)), `${c.charCodeAt(0)}`)
      return Result.isSuccess(parse(text))
    })
    assert.deepStrictEqual(taken, ["\t", "\n", "\r", " "])
  })

  it("reads keys as the language does, with escapes or without", () => {
    for (const key of ["a", "", "a b", "\u00e9", "\\", '"', "/", "\n", "\u2028"]) {
      for (const spelled of [
        JSON.stringify(key),
        `"${key.replace(/./gsu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`
      ]) {
        assert.deepStrictEqual(Result.getOrThrow(parse(`{${spelled}:1}`)), { [key]: 1 })
        assert.isTrue(Result.isFailure(parse(`{${spelled}:1,${JSON.stringify(key)}:2}`)), spelled)
      }
    }
  })

  it("long runs of white space and digits do not overflow", () => {
    assert.isTrue(Result.isSuccess(parse(`${" ".repeat(5_000_000)}1`)))
    assert.isTrue(Result.isSuccess(parse(`0.${"1".repeat(5_000_000)}`)))
  })

  it("refuses more values than are read without a pause, at any depth", () => {
    assert.isTrue(Result.isSuccess(parse(`[${"1,".repeat(maxValues - 2)}1]`)))
    for (const text of [
      `[${"1,".repeat(maxValues)}1]`,
      `{${'"a":{},'.repeat(maxValues)}"b":1}`,
      `[${"[],".repeat(maxValues)}1]`
    ]) {
      const result = parse(text)
      assert.match(Result.isFailure(result) ? result.failure[0].message : "", /more than 20,000 values|twice/u)
    }
  })

  it("names some of many duplicate keys, each with its position", () => {
    const text = `{${'"a":1,\n'.repeat(10_000)}"a":1}`
    const result = parse(text)
    const faults = Result.isFailure(result) ? result.failure : []
    assert.lengthOf(faults, 20)
    const places = locate(text, faults)
    assert.match(places[0], /^line 2, column 1 \(offset 8\)/u)
    assert.match(places[19], /^line 21, column 1 /u)
  })

  it("names texts that two parsers may read differently, within limits of the caller", () => {
    const limits = { maxDepth: 3, maxValues: 100, checksKeys: true }
    const message = (text: string): string | null => findAmbiguity(text, limits)?.message ?? null
    for (const text of ['{"a":1,"b":{"a":2}}', "[]", `"${"x".repeat(1_000_000)}"`]) assert.isNull(message(text))
    assert.include(message('{"a":1,"\\u0061":2}'), "twice")
    assert.include(message('{"__proto__":1}'), "__proto__")
    assert.include(message("[[[[]]]]"), "nested deeper than 3")
    assert.include(message('"a\nb"'), "control character")
    assert.include(message('{"a":1} {}'), "nothing more")
  })
})

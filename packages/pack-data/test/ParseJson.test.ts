import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { FormatJson, ParseJson } from "../src/index.ts"
import { mistakeIn, run } from "./Harness.ts"

const text = JSON.stringify({ items: [{ name: "one" }, { "a/b": { "m~n": [null] } }], "": 0 })

describe("parse_json", () => {
  it.effect("extracts the value at the pointer", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [string, Schema.Json]> = [
        ["", JSON.parse(text) as Schema.Json],
        ["/items/0/name", "one"],
        ["/items/1/a~1b/m~0n/0", null],
        ["/", 0]
      ]
      for (const [pointer, value] of cases) {
        assert.deepStrictEqual((yield* run(ParseJson, { text, pointer })).output, { value }, pointer)
      }
    })
  )

  it.effect("says where a pointer leads nowhere, and which keys exist there", () =>
    Effect.gen(function* () {
      const cases = [
        ["/items/2", 'nothing at "/items/2": at /items is an array of 2'],
        ["/items/00", 'nothing at "/items/00": at /items is an array of 2'],
        ["/items/0/nme", 'nothing at "/items/0/nme": at /items/0 is an object with "name"'],
        ["/items/0/name/x", 'nothing at "/items/0/name/x": at /items/0/name is a string'],
        ["/toString", 'nothing at "/toString": at the top is an object with "items", ""'],
        ["items", 'a pointer is empty or begins with "/": "items"'],
        ["/a~2", '"~" is written ~0 and "/" ~1: "a~2"']
      ] as const
      for (const [pointer, message] of cases) {
        assert.strictEqual(yield* mistakeIn("pointer", run(ParseJson, { text, pointer })), message)
      }
    })
  )

  it.effect("names line and column of invalid JSON", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* mistakeIn("text", run(ParseJson, { text: '{\n  "a": 1,\n}' })),
        "not JSON at line 3, column 1: expected a key in double quotes"
      )
    })
  )

  it.effect("warns of integers that a double changes", () =>
    Effect.gen(function* () {
      const big = yield* run(ParseJson, { text: "[12345678901234567890]" })
      assert.deepStrictEqual(big.output, { value: [12345678901234567000], inexact: true })
      assert.deepStrictEqual((yield* run(ParseJson, { text: "[9007199254740991, 1e300, 0.1]" })).output, {
        value: [9007199254740991, 1e300, 0.1]
      })
    })
  )

  it.effect.prop(
    "returns the value that format_json wrote, with any indentation",
    [Schema.Json, Schema.Literals([0, 1, 2, 8])],
    ([value, indent]) =>
      Effect.gen(function* () {
        const written = yield* run(FormatJson, { value, indent })
        const { output } = yield* run(ParseJson, { text: written.output.text })
        // Through text on both sides, which has no negative zero.
        assert.strictEqual(JSON.stringify(output.value), JSON.stringify(value))
      })
  )
})

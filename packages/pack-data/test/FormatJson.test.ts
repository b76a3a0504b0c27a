import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { FormatJson } from "../src/index.ts"
import { mistakeIn, run } from "./Harness.ts"

const formatted = (given: typeof FormatJson.parameters.Encoded) =>
  Effect.map(run(FormatJson, given), ({ output }) => output.text)

describe("format_json", () => {
  it.effect("indents a value by two spaces unless told otherwise", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* formatted({ value: { a: [1] } }), '{\n  "a": [\n    1\n  ]\n}')
      assert.strictEqual(yield* formatted({ value: { a: [1] }, indent: 0 }), '{"a":[1]}')
      assert.strictEqual(yield* formatted({ value: null }), "null")
    })
  )

  it.effect("keeps the numbers of a text unchanged, and the order of its keys", () =>
    Effect.gen(function* () {
      const text = '{"b":12345678901234567890,"a":[1.0,-0,1E+2,0.10]}'
      assert.strictEqual(yield* formatted({ text: ` ${text.replaceAll(",", " ,\n")} `, indent: 0 }), text)
    })
  )

  it.effect.prop("changes nothing the second time", [Schema.Json], ([value]) =>
    Effect.gen(function* () {
      const once = yield* formatted({ value })
      assert.strictEqual(yield* formatted({ text: once }), once)
    })
  )

  it.effect("names line and column of invalid JSON", () =>
    Effect.gen(function* () {
      assert.include(yield* mistakeIn("text", run(FormatJson, { text: "[1,\n 2" })), "line 2, column 3")
    })
  )

  it.effect("accepts either a value or a text", () =>
    Effect.gen(function* () {
      const isFit = Schema.is(FormatJson.parameters)
      assert.isFalse(isFit({ indent: 2 }))
      assert.isFalse(isFit({ value: 1, text: "1", indent: 2 }))
      assert.isTrue(isFit({ value: null, indent: 2 }))
      const unchecked = { indent: 2 } as typeof FormatJson.parameters.Type
      assert.include(yield* mistakeIn("value", Effect.scoped(FormatJson.execute(unchecked)) as never), "exactly one")
    })
  )
})

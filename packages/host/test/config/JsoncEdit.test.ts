/** One value of a JSONC text is set or removed; everything else stays unchanged. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { parse } from "jsonc-parser"
import * as JsoncEdit from "../../src/config/JsoncEdit.ts"

describe("JsoncEdit", () => {
  it("formats only the lines that it touches", () => {
    const text = '{\n  "limits": {"maxSteps":3},\n\t"model":"a/b"\n}\n'
    assert.strictEqual(
      JsoncEdit.put(text, ["limits", "maxCostUsd"], 2),
      '{\n  "limits": {\n    "maxSteps": 3,\n    "maxCostUsd": 2\n  },\n\t"model":"a/b"\n}\n'
    )
    assert.strictEqual(JsoncEdit.put("{}", ["model"], "a/b"), '{\n  "model": "a/b"\n}\n')
  })

  it("leaves a comment at the end of a line with its property", () => {
    for (const line of ['"a": 1 // of a', '"a": 1, // of a', '"a": 1 /* of a */']) {
      const put = JsoncEdit.put(`{\n  ${line}\n}\n`, ["b"], 2)
      assert.match(put, /^\{\n {2}"a": 1,? \S+ of a(?: \*\/)?,?\n {2}"b": 2\n\}\n$/)
      assert.deepStrictEqual(parse(put), { a: 1, b: 2 })
    }
  })

  it("keeps the line ends of the text", () => {
    const texts = [
      '{\n  // of a\n  "a": 1,\n}\n',
      '{\n  "a": 1 // of a\n}',
      '{\n  "a": { "c": 1 },\n  "b": 3\n}\n',
      '{\n  "b": 3, // of b\n  "a": 1\n}\n'
    ]
    for (const text of texts) {
      for (const value of [2, { c: [1, 2] }, undefined]) {
        const windows = JsoncEdit.put(text.replaceAll("\n", "\r\n"), ["b"], value)
        assert.strictEqual(windows, JsoncEdit.put(text, ["b"], value).replaceAll("\n", "\r\n"))
      }
    }
  })

  const Key = Schema.Literals(["a", "b", "c"])
  const Text = Schema.Literals([
    "",
    "{}",
    '{"a": 1}',
    '{\n  // first\n  "a": 1, // of a\n  /* of b */ "b": {"c": true},\n}\n',
    '{ "b": { "a": 1 /* kept */ }, "c": [1, 2] } // end'
  ])
  const Value = Schema.Literals([0, true, "text"])

  it.prop(
    "sets the value, removes it again, and keeps every comment",
    [Text, Schema.NonEmptyArray(Key), Value],
    ([text, path, value]) => {
      const holdsObjects = (at: unknown, [first, ...rest]: ReadonlyArray<string>): boolean =>
        first === undefined || at === undefined || (isObject(at) && holdsObjects(at[first], rest))
      if (!holdsObjects(parse(text), path)) return
      const put = JsoncEdit.put(text, path, value)
      assert.strictEqual(
        path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], parse(put)),
        value
      )
      const taken = JsoncEdit.put(put, path, undefined)
      assert.isUndefined(path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), parse(taken)))
      // Replacing a value removes the comments inside it.
      if (path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), parse(text)) !== undefined) return
      const comments = (all: string) => all.match(/\/\/[^\n]*|\/\*.*?\*\//gu) ?? []
      assert.includeMembers([...comments(put)], [...comments(text)])
    }
  )
})

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

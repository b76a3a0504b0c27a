/** Tests of calls written in the syntax of rules. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { CallText } from "../src/index.ts"

const complaint = (text: string): string => {
  const result = CallText.parse(text)
  return Result.isFailure(result) ? result.failure : "no complaint"
}

describe("CallText", () => {
  it("parses a tool and its arguments, paths unchanged", () => {
    assert.deepStrictEqual(Result.getOrThrow(CallText.parse('edit_file path=src/../a edits=[{"old": "x y"}]')), {
      tool: "edit_file",
      arguments: { path: "src/../a", edits: [{ old: "x y" }] }
    })
  })

  it.each([
    ["", "is empty"],
    ["* path=a", `names "*", which cannot be a tool's name`],
    ["allow write_file path=a", 'has "write_file" where FIELD=VALUE is expected'],
    ["write_file options.mode=1", 'names a part, "options.mode", but the call has the whole argument as JSON']
  ])("refuses %j with the reason", (text, what) => {
    assert.strictEqual(complaint(text), what)
  })

  const anyArguments = Schema.Record(Schema.Literals(["path", "argv", "x-y", "a.b", "no good"]), Schema.Json)

  it.prop("a printed call parses to the same call, and an ambiguous one is not printed", [anyArguments], ([input]) => {
    const text = CallText.formatCall({ tool: "t", arguments: input })
    const names = Object.keys(input)
    if (text === null) assert.isTrue(names.includes("a.b") || names.includes("no good"))
    else assert.strictEqual(JSON.stringify(Result.getOrThrow(CallText.parse(text)).arguments), JSON.stringify(input))
  })
})

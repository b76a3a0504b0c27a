/** Tests of how many issues a parser looks for: the items that a schema checked are counted. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import { boundIssues, maxValues } from "../src/BoundedIssues.ts"

const format = SchemaIssue.makeFormatterDefault()

const checks = { count: 0 }

/** Refuses every number, and counts the numbers that it saw. */
const Refused = Schema.Number.check(
  Schema.makeFilter(() => {
    checks.count++
    return "Expected another number"
  })
)

/** Returns how many items were checked for a value that is refused. */
const checked = (schema: Schema.Codec<unknown, unknown>, value: unknown): number => {
  checks.count = 0
  assert.isTrue(Result.isFailure(boundIssues(SchemaParser.decodeUnknownResult(schema), "error")(value)))
  return checks.count
}

const numbers = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)

const List = Schema.Array(Refused)

describe("the issues of a value", () => {
  it.each<readonly [what: string, schema: Schema.Codec<unknown, unknown>, value: unknown]>([
    ["a list", List, numbers(1_000_000)],
    ["a list in an object", Schema.Struct({ rows: List }), { rows: numbers(1_000_000) }],
    ["many short lists", Schema.Array(List), Array.from({ length: 20_000 }, () => [1])],
    ["a set", Schema.ReadonlySet(Refused), new Set(numbers(1_000_000))],
    ["a map", Schema.ReadonlyMap(Schema.Number, Refused), new Map(numbers(20_000).map((key) => [key, key]))],
    [
      "a record",
      Schema.Record(Schema.String, Refused),
      Object.fromEntries(numbers(20_000).map((key) => [`k${key}`, 1]))
    ]
  ])("end with the first in %s of too many values", (_, schema, value) => {
    assert.strictEqual(checked(schema, value), 1)
  })

  it("are all found in a value of ordinary size", () => {
    assert.strictEqual(checked(List, numbers(maxValues)), maxValues + 1)
    assert.strictEqual(checked(List, numbers(maxValues + 1)), 1)
  })

  it("are counted once in a value that refers to itself", () => {
    const cyclic: Array<unknown> = [1, 2]
    cyclic.push(cyclic)
    assert.strictEqual(checked(Schema.Struct({ rows: List }), { rows: cyclic }), 1)
  })

  it("name keys that are not declared only if asked to", () => {
    const Row = SchemaParser.decodeUnknownResult(Schema.Struct({ rows: Schema.Number }))
    const issueOf = (parsed: Result.Result<unknown, SchemaIssue.Issue>): string =>
      Result.isFailure(parsed) ? format(parsed.failure) : "none"
    assert.include(issueOf(boundIssues(Row, "error")({ rows: 1, more: 2, most: 3 })), '["most"]')
    assert.strictEqual(issueOf(boundIssues(Row, "ignore")({ rows: 1, more: 2 })), "none")
  })
})

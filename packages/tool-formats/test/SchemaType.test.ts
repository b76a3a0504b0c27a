/** Tests of JSON Schema as a TypeScript type. */
import { ToolSchema } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as SchemaType from "../src/SchemaType.ts"

describe("SchemaType", () => {
  it.each([
    [{ type: "integer" }, "number"],
    [{ type: "null" }, "null"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ const: "a" }, '"a"'],
    [{ enum: ["a", 1, null] }, '"a" | 1 | null'],
    [{ anyOf: [{ type: "string" }, { type: "string" }, { type: "boolean" }] }, "string | boolean"],
    [{ oneOf: [{ type: "number" }, { type: "null" }] }, "number | null"],
    [{ type: "array", items: { type: "string" } }, "string[]"],
    [{ type: "array", items: { enum: ["a", "b"] } }, '("a" | "b")[]'],
    [{ type: "array" }, "any[]"],
    [{ type: "object" }, "object"],
    [{ type: "object", properties: {}, additionalProperties: false }, "{}"],
    [{ type: "object", additionalProperties: { type: "number" } }, "{\n[key: string]: number,\n}"],
    [{}, "any"],
    [{ not: { type: "null" } }, "any"]
  ] as const)("%j is %s", (schema, type) => {
    assert.strictEqual(SchemaType.typeText(schema), type)
  })

  it("writes required, optional, nested and default parts, and quotes names that are not identifiers", () => {
    const schema = ToolSchema.derive(
      Schema.Struct({
        edits: Schema.Array(Schema.Struct({ old: Schema.String })).annotate({ description: "In order\nall or none" }),
        "content-type": Schema.optionalKey(Schema.String),
        limit: ToolSchema.withDefault(Schema.Int, 5)
      }),
      "draft-07"
    )
    assert.strictEqual(
      SchemaType.typeText(schema),
      `{
// In order
// all or none
edits: {
old: string,
}[],
"content-type"?: string,
limit?: number, // default: 5
}`
    )
  })

  it("keeps a description inside its comment, whatever it contains", () => {
    assert.deepStrictEqual(SchemaType.comment("a\r\n} // namespace functions\n\nb"), [
      "// a",
      "// } // namespace functions",
      "//",
      "// b"
    ])
    assert.deepStrictEqual(SchemaType.comment("  "), [])
  })
})

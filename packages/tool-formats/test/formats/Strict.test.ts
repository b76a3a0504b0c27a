/** Tests of strict functions: unsupported parts are reported, and nulls for optional arguments are removed again. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as OpenAiChat from "../../src/formats/OpenAiChat.ts"
import { listOf, nodeOf } from "../../src/internal/nodes.ts"
import * as StrictSchema from "../../src/schema/StrictSchema.ts"
import type { JsonSchema } from "../../src/ToolMessage.ts"
import * as RandomSchema from "./RandomSchema.ts"

const Seed = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))

const look: JsonSchema = {
  type: "object",
  properties: {
    path: { type: "string", minLength: 1 },
    mode: { type: "string", enum: ["text", "bytes"], default: "text" },
    limit: { type: "integer" },
    note: { type: ["string", "null"] },
    range: { type: "object", properties: { from: { type: "integer" } } }
  },
  required: ["path"],
  additionalProperties: false
}

/** Every object of a strict schema, by OpenAI's documented rules. */
const faults = (node: JsonSchema): ReadonlyArray<string> => {
  const types = listOf(node["type"]).concat(node["type"])
  const own = types.includes("object")
    ? [
        ...(node["additionalProperties"] === false ? [] : ["open"]),
        ...(listOf(node["required"]).length === Object.keys(nodeOf(node["properties"])).length ? [] : ["optional"])
      ]
    : []
  const unknown = ["default", "minLength", "oneOf", "allOf", "not", "uniqueItems"].filter((keyword) => keyword in node)
  const inner = [
    ...Object.values(nodeOf(node["properties"])),
    ...Object.values(nodeOf(node["$defs"])),
    ...listOf(node["anyOf"]),
    ...(node["items"] === undefined ? [] : [node["items"]])
  ]
  return [...own, ...unknown, ...inner.flatMap((one) => faults(nodeOf(one)))]
}

describe("StrictSchema", () => {
  it("requires every argument, null if it was optional, and names each loss at its place", () => {
    const { losses, value } = StrictSchema.fromSchema(look, "look")
    assert.deepStrictEqual(value?.["required"], ["path", "mode", "limit", "note", "range"])
    assert.deepStrictEqual(nodeOf(value?.["properties"])["mode"], {
      type: ["string", "null"],
      enum: ["text", "bytes", null]
    })
    assert.deepStrictEqual(
      losses.map(({ at, kind }) => `${kind} ${at}`),
      [
        "Keyword look/properties/path/minLength",
        "Keyword look/properties/mode/default",
        "Optional look/properties/mode",
        "Optional look/properties/limit",
        "Optional look/properties/note",
        "Optional look/properties/range/properties/from",
        "Optional look/properties/range"
      ]
    )
  })

  it("removes a null that stands for an omitted argument, and no other", () => {
    const text = JSON.stringify({ path: "a", mode: null, limit: null, note: null, range: { from: null } })
    assert.deepStrictEqual(JSON.parse(StrictSchema.restore(look, text)), { path: "a", note: null, range: {} })
    assert.strictEqual(StrictSchema.restore(look, "{ cut"), "{ cut")
  })

  it("declares a tool with free keys without strict, and says why", () => {
    const parameters = {
      type: "object",
      properties: { env: { type: "object", additionalProperties: { type: "string" } } }
    }
    const { losses, value } = OpenAiChat.writeDeclarations([{ name: "run", description: "Run", parameters }], {
      isStrict: true
    })
    assert.isFalse("strict" in value[0].function)
    assert.deepStrictEqual(value[0].function.parameters, parameters)
    assert.includeMembers(
      losses.map(({ at, kind }) => `${kind} ${at}`),
      ["Open run/properties/env"]
    )
  })

  it.prop(
    "a schema that is declared as strict satisfies every rule of strict schemas",
    [Seed],
    ([seed]) => {
      const { name, parameters } = RandomSchema.declaration(RandomSchema.random(seed))
      const { losses, value } = StrictSchema.fromSchema(parameters, name)
      if (value === null) assert.isTrue(losses.some(({ kind }) => kind === "Open" || kind === "Type"))
      else assert.deepStrictEqual(faults(value), [])
    },
    { arbitrary: { runs: 300, size: 1_000_000 } }
  )
})

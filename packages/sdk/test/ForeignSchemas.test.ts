/** Forms of other authors' JSON Schemas: recursion, references at the root, parts of a root, faults at the declaration. */
import { Tool, ToolPack, ToolSchema } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import { z } from "zod"
import { open } from "../src/index.ts"

const textOutput = { type: "object", properties: { text: { type: "string" } }, required: ["text"] }

const make = (parameters: object, output: object = textOutput): Tool.Any =>
  Tool.fromAsync("t", {
    version: 1,
    description: "Repeats its arguments",
    tier: "ReadOnly",
    replay: "Safe",
    capabilities: [],
    parameters: parameters as never,
    output: output as never,
    execute: async (given: unknown): Promise<never> =>
      ({ output: { text: JSON.stringify(given) }, display: "Done" }) as never
  }) as never

/** Returns "taken", or the text of the refusal. */
const answerTo = async (parameters: object, given: unknown): Promise<string> => {
  await using opened = await open(ToolPack.make(make(parameters)), { root: "." })
  const answer = await (opened.call as (name: string, given: unknown) => Promise<{ readonly status: string }>)(
    "t",
    given
  )
  return answer.status === "success" ? "taken" : JSON.stringify(answer)
}

const Folder: z.ZodType = z.object({
  name: z.string(),
  get folders() {
    return z.array(Folder).optional()
  }
})

/** A library that puts every part, the root too, into `$defs`. */
const byReference = {
  "~standard": {
    version: 1,
    vendor: "acme",
    validate: (value: { readonly name?: unknown }) =>
      typeof value.name === "string" ? { value } : { issues: [{ message: "must be text", path: ["name"] }] },
    jsonSchema: {
      input: () => ({
        $ref: "#/$defs/folder",
        $defs: {
          folder: {
            type: "object",
            properties: { name: { type: "string" }, inner: { $ref: "#/$defs/folder" } },
            required: ["name"]
          }
        }
      })
    }
  }
}

const draft07 = {
  type: "object",
  properties: { pair: { $ref: "#/definitions/pair" } },
  definitions: { pair: { type: "array", items: [{ type: "string" }, { type: "number" }] } }
}

const inParts = {
  type: "object",
  allOf: [{ properties: { name: { type: "string" } }, required: ["name"] }],
  anyOf: [{ properties: { size: { type: "number" } } }, { required: ["name"] }]
}

describe("JSON Schema of another author", () => {
  it.each<readonly [string, object, unknown, unknown, string]>([
    [
      "a schema that contains itself",
      Folder,
      { name: "a", folders: [{ name: "b" }] },
      { name: "a", folders: [{}] },
      "folders.0.name"
    ],
    ["a root that is a reference", byReference, { name: "a", inner: { name: "b" } }, { name: 3 }, "name"],
    ["draft-07", draft07, { pair: ["a", 1] }, { pair: [1, "a"] }, "pair.0"],
    ["properties in parts of the root", inParts, { name: "a", size: 2 }, { name: 3 }, '"name"'],
    [
      "unknown keys beside parts of the root",
      inParts,
      { name: "a" },
      { name: "a", nme: 1 },
      '"issues":[{"path":"nme","message":"unknown key \\"nme\\""}]'
    ],
    ["a required key without a property", { type: "object", required: ["id"] }, { id: 1 }, {}, "id: is missing"],
    ["no properties", { type: "object" }, {}, { id: 1 }, 'unknown key \\"id\\": there are none'],
    [
      "no properties of a part",
      { type: "object", properties: { a: { type: "object", additionalProperties: false } } },
      { a: {} },
      { a: { b: 1 } },
      'unknown key \\"b\\": there are none'
    ]
  ])("%s is checked", async (_, schema, right, wrong, refusal) => {
    assert.strictEqual(await answerTo(schema, right), "taken")
    assert.include(await answerTo(schema, wrong), refusal)
  })

  it.each([
    ["zod", Folder, "folders"],
    ["a library that writes references", byReference, "inner"]
  ] as const)("a recursive schema of %s keeps its inner parts for the model", (_, schema, key) => {
    for (const draft of ["2020-12", "draft-07"] as const) {
      const { properties, type, ...rest } = ToolSchema.parameters(make(schema), draft)
      assert.strictEqual(type, "object")
      const [, name = ""] = /"#\/(?:\$defs|definitions)\/(\w+)"/u.exec(JSON.stringify(properties)) ?? []
      const definitions = (rest["$defs"] ?? rest["definitions"]) as Record<string, { readonly properties: object }>
      assert.includeMembers(Object.keys(definitions[name]?.properties ?? {}), ["name", key])
    }
  })

  it("an output that contains itself keeps its inner parts", () => {
    const tool = make({ type: "object" }, Folder)
    assert.include(JSON.stringify(ToolSchema.output(tool)), "#/$defs/root")
  })

  it.each([
    [
      "a type that does not exist",
      { type: "object", properties: { a: { items: { type: "sting" } } } },
      'properties.a.items.type is "sting": it must be one of array, boolean'
    ],
    [
      "a list of types with one that does not exist",
      { type: "object", anyOf: [{ properties: { a: { type: ["string", "nil"] } } }] },
      'anyOf.0.properties.a.type is "nil"'
    ],
    [
      "a union at the root",
      z.discriminatedUnion("k", [z.object({ k: z.literal(1) }), z.object({ k: z.literal(2) })]),
      "because models pass arguments by name: make other schemas a property"
    ]
  ] as const)("%s is refused at the declaration", (_, schema, fault) => {
    assert.throws(() => make(schema), fault)
  })
})

/** Tests of the JSON Schemas that models get. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Tool, ToolSchema } from "../src/index.ts"

const of = (schema: Tool.Codec, draft: ToolSchema.Draft = "2020-12") => ToolSchema.derive(schema, draft)

class Span extends Schema.Class<Span>("Span")({ from: Schema.Natural, to: Schema.Natural }) {}

interface Tree {
  readonly children: ReadonlyArray<Tree>
}
const Tree: Schema.Codec<Tree> = Schema.Struct({
  children: Schema.Array(Schema.suspend(() => Tree))
}).annotate({ identifier: "Tree" })

/** Every key of a schema, at any depth. */
const keysOf = (node: unknown): ReadonlyArray<string> =>
  node === null || typeof node !== "object"
    ? []
    : Object.entries(node).flatMap(([key, value]) => [key].concat(keysOf(value)))

describe("ToolSchema", () => {
  it("describes a parameter, its default, and that there are no others", () => {
    const parameters = Schema.Struct({
      path: Schema.NonEmptyString.annotate({ description: "Relative to the root" }),
      fromLine: ToolSchema.withDefault(
        Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({ description: "1-based" }),
        1
      ),
      mode: ToolSchema.withDefault(Schema.Literals(["all", "first"]), "all"),
      glob: Schema.optionalKey(Schema.String)
    })
    assert.deepStrictEqual<unknown>(of(parameters), {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, description: "Relative to the root" },
        fromLine: { type: "integer", minimum: 1, description: "1-based", default: 1 },
        mode: { type: "string", enum: ["all", "first"], default: "all" },
        glob: { type: "string" }
      },
      required: ["path"],
      additionalProperties: false
    })
  })

  it("omits parts without information: safe integers, schema URIs, empty definitions", () => {
    assert.deepStrictEqual<unknown>(of(Schema.Int), { type: "integer" })
    assert.deepStrictEqual<unknown>(of(Schema.Natural), { type: "integer", minimum: 0 })
    const keys = keysOf(of(Schema.Struct({ a: Schema.Array(Schema.Int), b: Schema.Struct({ c: Schema.Natural }) })))
    assert.notIncludeMembers([...keys], ["maximum", "$schema", "$defs", "definitions"])
  })

  it.each(["2020-12", "draft-07"] as const)("inlines named parts, in %s", (draft) => {
    const schema = of(Schema.Struct({ one: Span, more: Schema.Array(Span) }), draft)
    assert.notInclude(keysOf(schema), "$ref")
    const span = {
      type: "object",
      properties: { from: { type: "integer", minimum: 0 }, to: { type: "integer", minimum: 0 } },
      required: ["from", "to"],
      additionalProperties: false
    }
    assert.deepStrictEqual<unknown>(schema["properties"], { one: span, more: { type: "array", items: span } })
  })

  it.each([
    ["2020-12", "$defs"],
    ["draft-07", "definitions"]
  ] as const)("a recursive part is named once, in %s under %s", (draft, key) => {
    const children = { type: "array", items: { $ref: `#/${key}/Tree` } }
    const tree = { type: "object", properties: { children }, required: ["children"], additionalProperties: false }
    assert.deepStrictEqual<unknown>(of(Tree, draft), { ...tree, [key]: { Tree: tree } })
    const beside = of(Schema.Struct({ tree: Tree, span: Span }), draft)
    assert.deepStrictEqual(Object.keys(beside[key] as object), ["Tree"])
    assert.deepStrictEqual((beside["properties"] as Record<string, unknown>)["tree"], { $ref: `#/${key}/Tree` })
  })

  it("two mutually recursive parts are both named", () => {
    const folder = Schema.Struct({ entries: Schema.Array(Schema.suspend((): Schema.Codec<unknown> => entry)) })
    const entry = Schema.Struct({ folder: Schema.optionalKey(folder) }) as Schema.Codec<unknown>
    const schema = of(Schema.Struct({ folder }))
    const named = Object.keys(schema["$defs"] as object)
    assert.isAbove(named.length, 0)
    const text = JSON.stringify(schema)
    for (const [, name] of text.matchAll(/#\/\$defs\/([^"]+)/gu)) assert.include(named, name)
  })

  it("writes a tuple in each draft's syntax", () => {
    const pair = Schema.Tuple([Schema.String, Schema.Int])
    assert.deepStrictEqual<unknown>(of(pair), {
      type: "array",
      prefixItems: [{ type: "string" }, { type: "integer" }],
      minItems: 2,
      maxItems: 2
    })
    assert.deepStrictEqual<unknown>(of(pair, "draft-07"), {
      type: "array",
      items: [{ type: "string" }, { type: "integer" }],
      minItems: 2,
      maxItems: 2
    })
  })

  it("states once the items of a list of at least one", () => {
    assert.deepStrictEqual<unknown>(of(Schema.NonEmptyArray(Schema.String)), {
      type: "array",
      items: { type: "string" },
      minItems: 1
    })
  })

  it("a description beside a named part is that of the place", () => {
    const Name = Schema.String.annotate({ identifier: "Name", description: "A name" })
    const schema = of(Schema.Struct({ name: Name.annotateKey({ description: "Of the file" }) }))
    assert.deepStrictEqual<unknown>(schema["properties"], { name: { type: "string", description: "Of the file" } })
  })

  it("parameters may be called like keywords", () => {
    const schema = of(Schema.Struct({ default: Schema.Int, $ref: Schema.String, properties: Schema.Int }))
    assert.deepStrictEqual<unknown>(schema["properties"], {
      default: { type: "integer" },
      $ref: { type: "string" },
      properties: { type: "integer" }
    })
  })

  it("a default may be a list or an object, and is not read as a schema", () => {
    const schema = of(
      Schema.Struct({
        span: ToolSchema.withDefault(Schema.Struct({ maximum: Schema.Finite }), { maximum: Number.MAX_SAFE_INTEGER })
      })
    )
    assert.deepStrictEqual((schema["properties"] as Record<string, { default: unknown }>)["span"].default, {
      maximum: Number.MAX_SAFE_INTEGER
    })
  })

  it("a tool without parameters takes an empty object", () => {
    assert.deepStrictEqual<unknown>(of(Schema.Struct({})), {
      type: "object",
      properties: {},
      additionalProperties: false
    })
  })

  it("a default is filled in on decode, and null does not count as absent", () => {
    const decode = Schema.decodeUnknownSync(Schema.Struct({ n: ToolSchema.withDefault(Schema.Int, 5) }))
    assert.deepStrictEqual(decode({}), { n: 5 })
    assert.deepStrictEqual(decode({ n: 6 }), { n: 6 })
    assert.throws(() => decode({ n: null }))
    assert.throws(() => decode({ n: undefined }))
  })

  it("describes the JSON form of arguments and output", () => {
    const tool = Tool.make("at", {
      description: "Does it",
      version: 1,
      tier: "ReadOnly",
      replay: "Safe",
      capabilities: [],
      parameters: Schema.Struct({ at: Schema.Date }),
      output: Schema.Struct({ millis: Schema.Natural }),
      execute: ({ at }) => Effect.succeed(Tool.result({ output: { millis: at.getTime() }, display: "" }))
    })
    assert.deepStrictEqual<unknown>(ToolSchema.parameters(tool)["properties"], { at: { type: "string" } })
    assert.deepStrictEqual<unknown>(ToolSchema.output(tool, "draft-07")["properties"], {
      millis: { type: "integer", minimum: 0 }
    })
  })

  it("tells a model only facts that a sensible call could miss", () => {
    const parameters = Schema.Struct({
      path: Schema.NonEmptyString,
      // Six units may be three characters.
      name: Schema.String.check(Schema.isMinLength(6)),
      limit: ToolSchema.withDefault(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 })), 1),
      share: Schema.Finite.check(Schema.isGreaterThanOrEqualTo(1)),
      // Fields with the names of keywords are fields.
      minimum: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
      additionalProperties: ToolSchema.withDefault(Schema.Struct({ minLength: Schema.Finite }), { minLength: 1 })
    })
    assert.deepStrictEqual<unknown>(ToolSchema.forModel({ parameters }), {
      type: "object",
      properties: {
        path: { type: "string" },
        name: { type: "string", minLength: 3 },
        limit: { type: "integer", maximum: 9, default: 1 },
        share: { type: "number", minimum: 1 },
        minimum: { type: "integer" },
        additionalProperties: {
          type: "object",
          properties: { minLength: { type: "number" } },
          required: ["minLength"],
          default: { minLength: 1 }
        }
      },
      required: ["path", "name", "share", "minimum"]
    })
  })

  it("leaves a third-party schema unchanged", () => {
    const written = { type: "object", properties: { a: { type: "string", minLength: 1 } }, additionalProperties: false }
    const parameters = ToolSchema.described(Schema.Struct({ a: Schema.String }), written)
    assert.deepStrictEqual<unknown>(ToolSchema.forModel({ parameters }), written)
  })
})

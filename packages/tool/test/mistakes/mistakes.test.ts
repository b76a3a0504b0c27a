/** Tests of the messages for wrong declarations. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import { Artifact, Tool, ToolSchema } from "../../src/index.ts"
import { mistakes } from "./declarations.ts"
import * as Packs from "./packs.ts"

const messageOf = (make: () => unknown): string => {
  try {
    make()
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown)
  }
  return "nothing"
}

describe("a mistake in a declaration", () => {
  it.each([...mistakes, ...Packs.mistakes])("$name names the fix", ({ make, says }) => {
    assert.include(messageOf(make), says)
  })
})

describe("a parameter", () => {
  const saidOf = (schema: Tool.Codec): string => messageOf(() => declared(schema))
  const declared = (schema: Tool.Codec) =>
    Tool.make("t_do", {
      description: "Does it",
      version: 1,
      tier: "ReadOnly",
      replay: "Safe",
      capabilities: [],
      parameters: Schema.Struct({ a: schema as Schema.String }),
      output: Schema.Struct({}),
      execute: () => Effect.succeed(Tool.result({ output: {}, display: "" }))
    })

  it.each([
    ["list", ToolSchema.withDefault(Schema.Array(Schema.Int).check(Schema.isMinLength(1)), [])],
    ["list of fixed items", ToolSchema.withDefault(Schema.Tuple([Schema.Int]), [] as never)],
    ["record", ToolSchema.withDefault(Schema.Record(Schema.String, Schema.Int).check(Schema.isMinProperties(1)), {})],
    ["object", ToolSchema.withDefault(Schema.Struct({ b: Schema.Int }), {} as never)]
  ])("is refused if an empty %s is its default and none of its values", (_, schema) => {
    assert.match(saidOf(schema), /^the tool "t_do": parameters\.a: its default is not one of its values/u)
  })

  it.each([
    ["of its key", Schema.Int.check(Schema.isLessThan(9)).pipe(Schema.withDecodingDefaultKey(Effect.succeed(9)))],
    ["of its type", Schema.Int.check(Schema.isLessThan(9)).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(9)))],
    [
      "of what it is made of",
      Schema.Int.check(Schema.isLessThan(9)).pipe(
        Schema.decodeTo(Schema.String, {
          decode: SchemaGetter.transform(String),
          encode: SchemaGetter.transform(Number)
        }),
        Schema.withDecodingDefaultKey(Effect.succeed(9))
      )
    ],
    ["that is made elsewhere", Schema.FiniteFromString.pipe(Schema.withDecodingDefaultKey(Effect.succeed("ten")))]
  ])("is refused if a default %s is none of its values", (_, schema) => {
    assert.match(saidOf(schema as Tool.Codec), /^the tool "t_do": parameters\.a: its default is not one of its values/u)
  })

  it("is accepted if its default is not known yet, or throws", () => {
    const never = Schema.Int.pipe(Schema.withDecodingDefaultKey(Effect.never))
    const thrown = Schema.Int.pipe(
      Schema.withDecodingDefaultKey(
        Effect.suspend(() => {
          throw new Error("not now")
        })
      )
    )
    for (const schema of [never, thrown]) assert.strictEqual(saidOf(schema as never), "nothing")
  })

  it.each([
    ["one of its values", Schema.Union([Schema.Int, Schema.Union([Schema.String, Schema.Undefined])])],
    ["what it is written as", Schema.Union([Schema.UndefinedOr(Schema.FiniteFromString), Schema.Null])]
  ])("is refused if undefined is %s", (_, schema) => {
    assert.match(saidOf(schema as Tool.Codec), /^the tool "t_do": parameters\.a: JSON has no undefined/u)
  })
})

describe("a correct declaration", () => {
  const declare = (parameters: Tool.Codec) =>
    Tool.make("t_do", {
      description: "Does it",
      version: 0,
      tier: "Elevated",
      replay: "Idempotent",
      capabilities: [],
      parameters,
      output: Schema.String,
      timeoutMillis: 0.5,
      findExisting: () => Effect.succeed(null),
      execute: () => Effect.succeed({ output: "", display: "" })
    })

  class Span extends Schema.Class<Span>("Span")({ from: Schema.Natural }) {}
  interface Tree {
    readonly children: ReadonlyArray<Tree>
  }
  const Tree: Schema.Codec<Tree> = Schema.Struct({ children: Schema.Array(Schema.suspend(() => Tree)) })

  it.each([
    ["no fields", Schema.Struct({})],
    ["a class", Span],
    ["one that holds itself", Tree],
    ["dates and numbers in texts", Schema.Struct({ at: Schema.Date, n: Schema.FiniteFromString })],
    [
      "fields that may be left out",
      Schema.Struct({ a: Schema.optionalKey(Schema.Int), b: Schema.optional(Schema.Int) })
    ],
    ["null", Schema.Struct({ a: Schema.NullOr(Schema.String) })],
    [
      "empty lists and records where they are left out",
      Schema.Struct({
        list: ToolSchema.withDefault(Schema.Array(Schema.Date), []),
        record: ToolSchema.withDefault(Schema.Record(Schema.String, Schema.Int), {}),
        nothing: ToolSchema.withDefault(Schema.Struct({ a: Schema.optionalKey(Schema.Int) }), {})
      })
    ],
    ["a default that fits", Schema.Struct({ a: ToolSchema.withDefault(Schema.Int.check(Schema.isLessThan(9)), 3) })],
    [
      "checks that find their words when they refuse",
      Schema.Struct({
        even: Schema.Int.check(Schema.makeFilter((n: number) => (n % 2 === 0 ? undefined : "must be even"))),
        span: Schema.Struct({ from: Schema.Int, to: Schema.Int }).check(
          Schema.makeFilter(({ from, to }: { readonly from: number; readonly to: number }) =>
            from < to ? undefined : { path: ["to"], issue: "must be after from" }
          )
        ),
        named: Schema.String.check(Schema.makeFilter((text: string) => text.length > 3, { expected: "four letters" })),
        throwing: Schema.String.check(Schema.makeFilter((text: string) => new URL(text).protocol === "https:"))
      })
    ],
    [
      "named and other fields",
      Schema.StructWithRest(Schema.Struct({ a: Schema.Int }), [Schema.Record(Schema.String, Schema.Int)])
    ]
  ])("takes parameters with %s", (_, parameters) => {
    assert.strictEqual(declare(parameters as Tool.Codec).name, "t_do")
    assert.strictEqual(ToolSchema.parameters(declare(parameters as Tool.Codec))["type"], "object")
  })
})

describe("Artifact.make", () => {
  const RowsChanged = Artifact.make("acme/RowsChanged", { table: Schema.String, rows: Schema.Natural, at: Schema.Date })
  const at = new Date(0)

  it("makes a value for a receipt, and parses it", () => {
    const made = RowsChanged({ table: "orders", rows: 3, at })
    assert.deepStrictEqual(made, {
      _tag: "Declared",
      kind: "acme/RowsChanged",
      data: { table: "orders", rows: 3, at: "1970-01-01T00:00:00.000Z" }
    })
    assert.deepStrictEqual(RowsChanged.read(made), { table: "orders", rows: 3, at })
    assert.isNull(RowsChanged.read({ _tag: "FileDeleted", path: "a" }))
    assert.isNull(RowsChanged.read({ ...made, kind: "acme/Other" }))
    assert.isNull(RowsChanged.read({ ...made, data: { rows: -1 } }))
  })

  it("refuses invalid data", () => {
    assert.include(
      messageOf(() => RowsChanged({ table: "orders", rows: 1.5, at })),
      "acme/RowsChanged does not fit its declaration"
    )
  })

  it.each(["", "a b", "bough/Rows", "@bough/Rows"])("%j is not a name of a kind", (kind) => {
    assert.include(
      messageOf(() => Artifact.make(kind, {})),
      `Artifact.make(${JSON.stringify(kind)})`
    )
  })
})

/** Tests of preconditions that a pack declares, and of the size of the error for the model. */
import { Capability, Invocation, ToolContext } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { chosenOf, thorough } from "../../../test/thorough.ts"
import { requestFor, done, holding, world } from "./Harness.ts"
import { any } from "./Tools.ts"

class Table extends Capability.make("acme/Table", { floor: "System" })<Table, object>() {}

describe("a pack's own fact", () => {
  it.effect.each(["preview", "provide"] as const)(
    "of a %s that changes before the start makes the approval lapse",
    (from) =>
      Effect.gen(function* () {
        let rows = 1
        const facts = Effect.sync(() => [{ key: "acme/table orders", digest: `rows ${rows}` }])
        const provision = Capability.provide(Table, {
          service: {},
          ...(from === "provide" ? { preconditions: facts } : {})
        })
        const tool = any({
          tier: "System",
          replay: "Unsafe",
          capabilities: [Table],
          preview: () =>
            Effect.map(facts, (preconditions) => ({
              render: "drop",
              preconditions: from === "preview" ? preconditions : []
            }))
        })
        const { end, records } = world({
          tools: [tool],
          context: ToolContext.provideAll(ToolContext.empty("Main"), [provision]),
          answers: [
            () => {
              rows = 2
              return "approve"
            },
            "approve"
          ]
        })
        const { outcome } = yield* end(requestFor("read_file", { path: "a" }))
        assert.strictEqual(outcome._tag, "Succeeded")
        assert.lengthOf(records.lapsed, 1)
        assert.deepStrictEqual<unknown>(
          records.requests.map(({ preview }) => preview.preconditions),
          [1, 2].map((count) => [{ _tag: "Fact", key: "acme/table orders", digest: `rows ${count}` }])
        )
      })
  )

  it.effect("of the classification makes the approval lapse, and the handler gets the facts that were shown", () =>
    Effect.gen(function* () {
      let rows = 1
      const handed: Array<unknown> = []
      const shown = { key: "acme/table names", digest: "3" }
      // A fact of the preview counts as it was shown.
      const facts = () => [
        { key: "acme/table orders", digest: `rows ${rows}` },
        { key: shown.key, digest: "4" }
      ]
      const tool = any({
        tier: "System",
        replay: "Unsafe",
        capabilities: [Table],
        classify: () =>
          Effect.map(Invocation.Invocation, (invocation) => {
            handed.push(invocation.facts)
            return { tier: "System", facts: facts() }
          }),
        preview: () => Effect.succeed({ render: "drop", preconditions: [shown] }),
        execute: () =>
          Effect.map(Invocation.Invocation, (invocation) => {
            handed.push(invocation.facts)
            return done
          })
      })
      const { end, records } = world({
        tools: [tool],
        context: ToolContext.provideAll(ToolContext.empty("Main"), [Capability.provide(Table, { service: {} })]),
        answers: [
          () => {
            rows = 2
            return "approve"
          },
          "approve"
        ]
      })
      const { outcome } = yield* end(requestFor("read_file", { path: "a" }))
      assert.strictEqual(outcome._tag, "Succeeded", JSON.stringify(outcome))
      assert.lengthOf(records.lapsed, 1)
      assert.deepStrictEqual<unknown>(
        records.requests.map(({ preview }) => preview.preconditions),
        [1, 2].map((count) => [
          { _tag: "Fact", ...shown },
          { _tag: "Fact", key: "acme/table orders", digest: `rows ${count}` }
        ])
      )
      // The handler gets no facts while the call is judged, and the newest facts when it runs.
      assert.deepStrictEqual(handed[0], [])
      assert.deepInclude(handed.at(-1), facts()[0])
      assert.deepInclude(handed.at(-1), shown)
    })
  )

  it.effect("that cannot be read is an error of the call, which does not run", () =>
    Effect.gen(function* () {
      const provision = Capability.provide(Table, { service: {}, preconditions: Effect.die(new Error("gone")) })
      const { end, records } = world({
        tools: [any({ tier: "System", capabilities: [Table] })],
        context: ToolContext.provideAll(ToolContext.empty("Main"), [provision])
      })
      const { outcome, receipt } = yield* end(requestFor("read_file", { path: "a" }))
      assert.include(JSON.stringify(outcome), "gone")
      assert.deepStrictEqual([receipt, records.requests.length], [null, 0])
    })
  )
})

describe("the error for wrong arguments", () => {
  const messageFor = Effect.fnUntraced(function* (parameters: Schema.Codec<unknown, unknown>, value: unknown) {
    const { end } = world({
      tools: [any({ capabilities: [], parameters: parameters as never })],
      context: holding(Capability.WorkspaceRead)
    })
    const { outcome } = yield* end(requestFor("read_file", value))
    return outcome._tag === "Failed" && outcome.error._tag === "ValidationError"
      ? {
          text: `${outcome.error.message}${JSON.stringify(outcome.error.issues)}${outcome.schema}`,
          message: outcome.error.message
        }
      : assert.fail(outcome._tag)
  })
  const many = Array.from({ length: 5_000 }, (_, index) => `value_number_${index}`)

  const declarations = [
    ["an enum", Schema.Struct({ a: Schema.Literals(many) }), { a: "x" }],
    ["a list of an enum", Schema.Struct({ a: Schema.Array(Schema.Literals(many)) }), { a: Array(300).fill("x") }],
    ["many fields", Schema.Struct(Object.fromEntries(many.map((name) => [name, Schema.String]))), {}],
    ["a long key", Schema.Struct({ a: Schema.String }), { ["k".repeat(50_000)]: 1 }],
    [
      "a union of objects",
      Schema.Struct({ u: Schema.Union(many.map((kind) => Schema.Struct({ kind: Schema.Literal(kind) }))) }),
      { u: {} }
    ]
  ] as const

  it.effect.each(chosenOf(declarations, (index) => declarations[index]?.[0] !== "a union of objects"))(
    "of %s is under 4 kB, message, issues and schema together",
    ([, parameters, input]) =>
      Effect.gen(function* () {
        const { text } = yield* messageFor(parameters, input)
        assert.isBelow(text.length, 4_096)
      }),
    thorough
  )

  it.effect("of thousands of wrong values formats only some, and does not count the rest", () =>
    Effect.gen(function* () {
      const { message } = yield* messageFor(Schema.Struct({ a: Schema.Array(Schema.Literals(many)) }), {
        a: Array.from({ length: 3_000 }, () => "x")
      })
      assert.match(message, /a\.0: must be one of 5000 values.*; and many more$/u)
      const few = yield* messageFor(Schema.Struct({ a: Schema.Array(Schema.Int) }), {
        a: Array.from({ length: 30 }, () => "x")
      })
      assert.match(few.message, /; and 10 more$/u)
    })
  )

  const union = Schema.Struct({
    u: Schema.Union([
      Schema.Struct({ kind: Schema.Literal("x"), a: Schema.String }),
      Schema.Struct({ kind: Schema.Literal("y"), b: Schema.Int })
    ])
  })

  it.effect.each([
    [union, { u: { kind: "z" } }, 'u: kind must be "x" or "y"'],
    [union, { u: 3 }, 'u: kind must be "x" or "y"'],
    [union, { u: { kind: "x" } }, "u.a: is missing"],
    [Schema.Struct({ a: Schema.Literals(many) }), { a: "x" }, "a: must be one of 5000 values, such as"],
    [
      Schema.Struct({ a: Schema.String.check(Schema.makeFilter((text: string) => text.length > 3)) }),
      { a: "x" },
      "a: is refused by a check that does not say what it expects"
    ]
  ] as const)("names the expected type", ([parameters, input, expected]) =>
    Effect.gen(function* () {
      const { message } = yield* messageFor(parameters, input)
      assert.include(message, expected)
      assert.notInclude(message, "<filter>")
    })
  )
})

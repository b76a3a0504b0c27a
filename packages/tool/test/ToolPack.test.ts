/** Tests of packs. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Tool, ToolPack } from "../src/index.ts"

const tool = <const Name extends string>(name: Name) =>
  Tool.make(name, {
    description: "Does it",
    version: 1,
    tier: "ReadOnly",
    replay: "Safe",
    capabilities: [],
    parameters: Schema.Struct({}),
    output: Schema.Struct({}),
    execute: () => Effect.succeed({ output: {}, display: "" })
  })

describe("ToolPack", () => {
  const [a, b] = [tool("a"), tool("b")]

  it("contains its tools by name, and a merged pack those of all", () => {
    assert.deepStrictEqual(Object.keys(ToolPack.merge(ToolPack.make(a), ToolPack.make(b)).tools), ["a", "b"])
  })

  it("the same tool may come with two packs", () => {
    assert.deepStrictEqual(Object.keys(ToolPack.merge(ToolPack.make(a), ToolPack.make(a, b)).tools), ["a", "b"])
  })

  it("two tools of one name are refused", () => {
    const both: ReadonlyArray<Tool.Any> = [a, tool("a")]
    assert.throws(() => ToolPack.make(...both), "two tools named a")
    // The compiler cannot distinguish one tool in two packs from two equal declarations.
    assert.throws(() => ToolPack.merge(ToolPack.make(a), ToolPack.make(tool("a"))), "two tools named a")
  })

  it("two tools of one name are refused with the names of their packs", () => {
    const files = ToolPack.named("files", ToolPack.make(a))
    const merged =
      (...packs: ReadonlyArray<ToolPack.Any>) =>
      () =>
        ToolPack.merge(...packs)
    const data = ToolPack.named("data", ToolPack.make(b, tool("a")))
    assert.throws(merged(files, data), "two tools named a, of the pack files and the pack data: rename one of them")
    const bare = ToolPack.make(tool("a"))
    assert.throws(merged(bare, files), "two tools named a, of an unnamed pack and the pack files")
  })

  it("a name of an object's own methods is not a tool's", () => {
    assert.doesNotThrow(() => ToolPack.make(tool("constructor")))
  })

  it("an output may suspend a schema that is made after its tool", () => {
    const made: { later: Schema.Codec<unknown> | null } = { later: null }
    const output = Schema.Struct({
      a: Schema.suspend((): Schema.Codec<unknown> => made.later ?? assert.fail("it is not made yet"))
    })
    const facts = { description: "Does it", version: 1, tier: "ReadOnly", replay: "Safe", capabilities: [] } as const
    const execute = () => Effect.succeed({ output: { a: "" }, display: "" })
    assert.doesNotThrow(() => Tool.make("late", { ...facts, parameters: Schema.Struct({}), output, execute }))
  })

  it("a tool keeps the first pack it was named in", () => {
    const inner = ToolPack.named("inner", ToolPack.make(a))
    const outer = ToolPack.named("outer", ToolPack.merge(inner, ToolPack.make(b)))
    assert.deepStrictEqual(outer.packNames, { a: "inner", b: "outer" })
  })
})

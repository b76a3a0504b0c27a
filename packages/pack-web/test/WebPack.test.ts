import { type Tool, ToolSchema } from "@bough/tool"
import { packFilesSpec } from "@bough/tool/testing/packFilesSpec"
import { assert, describe, it } from "@effect/vitest"
import { WebPack } from "../src/index.ts"

const all: ReadonlyArray<Tool.Any> = Object.values(WebPack.all.tools)

packFilesSpec("WebPack", WebPack.all, new URL("../src/", import.meta.url))

describe("WebPack", () => {
  it("gives a Worker no tool that sends", () => {
    for (const tool of Object.values<Tool.Any>(WebPack.readOnly.tools)) {
      assert.deepStrictEqual([tool.tier, tool.replay], ["ReadOnly", "Safe"], tool.name)
      assert.isFalse(tool.capabilities.some(({ floor }) => floor !== "ReadOnly"))
    }
  })

  it("marks the result of every tool as untrusted", () => {
    for (const tool of all) {
      assert.isTrue(
        tool.capabilities.some(({ labels }) => labels?.includes("untrusted") === true),
        tool.name
      )
    }
  })

  it("describes its parameters and stays small in the prompt", () => {
    const declarations = all.map((tool) => {
      const parameters = ToolSchema.parameters(tool, "draft-07")
      assert.strictEqual(parameters["additionalProperties"], false)
      return JSON.stringify({ name: tool.name, description: tool.description, parameters })
    })
    assert.isBelow(declarations.join("").length, 2000)
  })
})

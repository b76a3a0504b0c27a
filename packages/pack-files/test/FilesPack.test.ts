import { type Tool, ToolSchema } from "@bough/tool"
import { packFilesSpec } from "@bough/tool/testing/packFilesSpec"
import { assert, describe, it } from "@effect/vitest"
import { FilesPack } from "../src/index.ts"

const all: ReadonlyArray<Tool.Any> = Object.values(FilesPack.all.tools)

packFilesSpec("FilesPack", FilesPack.all, new URL("../src/", import.meta.url))

describe("FilesPack", () => {
  it("gives a Worker no tool that writes", () => {
    for (const tool of Object.values<Tool.Any>(FilesPack.readOnly.tools)) {
      assert.strictEqual(tool.tier, "ReadOnly", tool.name)
      assert.strictEqual(tool.replay, "Safe", tool.name)
      assert.isFalse(
        tool.capabilities.some(({ floor }) => floor !== "ReadOnly"),
        tool.name
      )
    }
  })

  it("previews each write, and recognises its effect if reading can tell", () => {
    const writes = all.filter((tool) => tool.tier === "Workspace")
    assert.deepStrictEqual(
      writes.filter((tool) => tool.preview === null || tool.findExisting === null).map((tool) => tool.name),
      ["create_directory"]
    )
    for (const tool of writes) assert.strictEqual(tool.replay, "Idempotent", tool.name)
  })

  it("describes every parameter that its name does not explain, and shows defaults", () => {
    const plain = new Set(["commit", "content", "from", "ignoreCase", "limit", "path", "to"])
    for (const tool of all) {
      const schema = ToolSchema.parameters(tool, "draft-07")
      const properties = schema["properties"] as Record<string, { readonly description?: string; default?: unknown }>
      const required = new Set(schema["required"] as ReadonlyArray<string> | undefined)
      for (const [name, property] of Object.entries(properties)) {
        assert.isTrue(property.description !== undefined || plain.has(name), `${tool.name}.${name}`)
        if (!required.has(name) && name !== "fromByte" && name !== "commit")
          assert.property(property, "default", `${tool.name}.${name}`)
      }
      assert.strictEqual(schema["additionalProperties"], false)
    }
  })

  it("stays small in the prompt", () => {
    const declaration = (tool: Tool.Any) =>
      JSON.stringify({
        name: tool.name,
        description: tool.description,
        parameters: ToolSchema.parameters(tool, "draft-07")
      })
    const core = ["read_file", "write_file", "edit_file", "list_files", "find_files", "search_files"]
    const bytes = (names: ReadonlyArray<string>) =>
      all.filter(({ name }) => names.includes(name)).reduce((sum, tool) => sum + declaration(tool).length, 0)
    assert.isBelow(bytes(core), 3300)
    assert.isBelow(bytes(all.map(({ name }) => name)), 4650)
  })
})

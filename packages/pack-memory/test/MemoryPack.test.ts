import { SessionKind } from "@bough/tool"
import { packFilesSpec } from "@bough/tool/testing/packFilesSpec"
import { assert, it } from "@effect/vitest"
import { MemoryPack } from "../src/index.ts"

packFilesSpec("MemoryPack", MemoryPack.all, new URL("../src/", import.meta.url))

it("MemoryPack gives a Worker the tools that search and none that store", () => {
  const { pack } = SessionKind.Worker.tools(MemoryPack.readOnly)
  assert.deepStrictEqual(Object.keys(pack.tools).toSorted(), ["list_memory_files", "read_memory_file", "search_memory"])
  const held = new Set<string>(SessionKind.Worker.holds.map(({ key }) => key))
  for (const tool of Object.values(MemoryPack.all.tools)) {
    const able = tool.capabilities.every(({ key }) => held.has(key))
    assert.strictEqual(able, tool.name in pack.tools, tool.name)
  }
})

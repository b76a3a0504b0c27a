import { SessionKind } from "@bough/tool"
import { assert, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { MemoryPack } from "../src/index.ts"

it("MemoryPack holds a tool for every tool file", () => {
  const files = readdirSync(new URL("../src/", import.meta.url)).filter(
    (file) => file.endsWith(".ts") && file !== "index.ts" && !file.endsWith("Pack.ts")
  )
  const named = files.map((file) =>
    file
      .replace(".ts", "")
      .replaceAll(/(?!^)([A-Z])/g, "_$1")
      .toLowerCase()
  )
  assert.deepStrictEqual(Object.keys(MemoryPack.all.tools).toSorted(), named.toSorted())
})

it("MemoryPack gives a Worker what searches and nothing that stores", () => {
  const { pack } = SessionKind.Worker.tools(MemoryPack.readOnly)
  assert.deepStrictEqual(Object.keys(pack.tools).toSorted(), ["list_memory_files", "read_memory_file", "search_memory"])
  const held = new Set<string>(SessionKind.Worker.holds.map(({ key }) => key))
  for (const tool of Object.values(MemoryPack.all.tools)) {
    const able = tool.capabilities.every(({ key }) => held.has(key))
    assert.strictEqual(able, tool.name in pack.tools, tool.name)
  }
})

/** Names of servers' tools. */
import { assert, describe, it } from "@effect/vitest"
import * as ToolNames from "../../src/client/ToolNames.ts"

const byTool = (tools: ReadonlyArray<string>) =>
  new Map(ToolNames.namesOf("srv", tools).named.map(({ name, tool }) => [tool, name]))

describe("ToolNames", () => {
  it("gives a name to a tool whose plain name is another tool's name with a digest, in any order of the list", () => {
    const digested = byTool(["read-file", "read.file"]).get("read-file")!.slice("srv__".length)
    const tools = ["read-file", "read.file", digested]
    const names = byTool(tools)
    assert.strictEqual(names.size, 3)
    assert.lengthOf(new Set(names.values()), 3)
    for (const [tool, name] of byTool(tools.toReversed())) assert.strictEqual(name, names.get(tool))
    assert.sameMembers([...ToolNames.namesOf("srv", tools).collisions], tools)
  })
})

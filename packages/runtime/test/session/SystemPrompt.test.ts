/** The system prompt is generated from the tools. */
import { ToolPack } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import { SystemPrompt } from "../../src/index.ts"
import * as World from "./world.ts"

const agent = (coreTools: ReadonlyArray<string>) => {
  const pack = ToolPack.named("world", World.tools(World.makeWorld()))
  return World.agentOf(World.makeWorld(), { tools: { kind: "Main", pack, core: new Set(coreTools) } })
}

describe("SystemPrompt", () => {
  it("names the undeclared tools, by their pack", () => {
    assert.include(
      SystemPrompt.text(agent(["look", "append"]), "Main"),
      "More tools, declared by use_tools: world: put, launch, fail, dwell."
    )
  })

  it("mentions no more tools if all are declared", () => {
    const all = ["look", "append", "put", "launch", "fail", "dwell"]
    assert.notInclude(SystemPrompt.text(agent(all), "Main"), "use_tools")
    assert.deepStrictEqual(SystemPrompt.deferredNames(agent(all)), [])
    // Agents of one pack may declare different tools.
    assert.deepStrictEqual(SystemPrompt.deferredNames(agent(all.slice(1))), ["look"])
  })
})

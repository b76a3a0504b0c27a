/** Wrong arguments from programs without types: each error names the function, the argument, its field and the fix. */
import { Capability, Experiment, SessionKind, Tool, ToolPack, ToolSchema } from "@bough/tool"
import { describePack, packSpec } from "@bough/tool/testing"
import { assert, describe, it } from "@effect/vitest"
import { messageOf, namesWrongArguments } from "../../../test/wrongArguments.ts"
import { Dialects, McpTool, ToolFormat, ToolMessage } from "../src/index.ts"

const { writeCalls, writeDeclarations, writeResults } = Dialects.dialects.anthropic

const functions = {
  "Anthropic.dialect.writeCalls": writeCalls,
  "Anthropic.dialect.writeDeclarations": writeDeclarations,
  "Anthropic.dialect.writeResults": writeResults,
  "Capability.provide": Capability.provide,
  "Experiment.assigned": Experiment.assigned,
  "Experiment.ofVersion": Experiment.ofVersion,
  "McpTool.declaration": McpTool.declaration,
  "SessionKind.Main.with": (value: never) => (SessionKind.Main.with as (value: never) => unknown)(value),
  "ToolFormat.openAi": ToolFormat.openAi,
  "ToolMessage.fromTool": ToolMessage.fromTool,
  "ToolPack.named": ToolPack.named,
  "ToolSchema.derive": ToolSchema.derive,
  "ToolSchema.described": ToolSchema.described,
  "ToolSchema.forModel": ToolSchema.forModel,
  "ToolSchema.output": ToolSchema.output,
  "ToolSchema.ownFields": ToolSchema.ownFields,
  "ToolSchema.parameters": ToolSchema.parameters,
  "ToolSchema.path": ToolSchema.path,
  describePack,
  fromFunction: Tool.fromFunction,
  packSpec
}

describe("a wrong argument", () => {
  namesWrongArguments(functions)

  it("in a field or an item is named with its place", () => {
    const experiment = { a: null, b: null } as never
    assert.strictEqual(
      messageOf(() => Experiment.assigned(experiment, "tree")),
      "TypeError: Experiment.assigned: argument 1 must be an experiment of Experiment.make: its field a must be a tool of Tool.make or Tool.fromAsync (it is null)"
    )
    assert.strictEqual(
      messageOf(() => ToolFormat.openAi([null] as never)),
      "TypeError: ToolFormat.openAi: argument 1 must be a list of tools, as in [readFile, writeFile]: item 1 must be a tool of Tool.make or Tool.fromAsync (it is null)"
    )
  })
})

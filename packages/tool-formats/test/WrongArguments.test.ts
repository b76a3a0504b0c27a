/** Wrong arguments from programs without types: each error names the function, the argument, its field and the fix. */
import { assert, describe, it } from "@effect/vitest"
import { Capability, Experiment, SessionKind, Tool, ToolPack, ToolSchema } from "@bough/tool"
import { describePack, packSpec } from "@bough/tool/testing"
import { Dialects, McpTool, ToolFormat, ToolMessage } from "../src/index.ts"

const values: ReadonlyArray<unknown> = [undefined, null, 7, true, () => {}, new Map(), new Proxy({}, {})]

const { writeCalls, writeDeclarations, writeResults } = Dialects.dialects.anthropic

/** The functions by the name that their errors begin with. */
const functions: Readonly<Record<string, (...values: ReadonlyArray<never>) => unknown>> = {
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

const messageOf = (run: () => unknown): string => {
  try {
    run()
  } catch (thrown) {
    return String(thrown)
  }
  return "no error"
}

describe("a wrong argument", () => {
  for (const [name, run] of Object.entries(functions)) {
    it(`of ${name} is named in the error`, () => {
      for (const value of values) {
        const message = messageOf(() => run(value as never))
        assert.isTrue(message.startsWith(`TypeError: ${name}: argument 1 must be `), message)
      }
    })
  }

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

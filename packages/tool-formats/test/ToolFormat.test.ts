/** Tests of a tool's declaration for each provider and protocol. */
import { Capability, Tool, ToolSchema } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ToolFormat from "../src/ToolFormat.ts"

const output = Schema.Struct({ text: Schema.String })

const look = Tool.make("look", {
  version: 1,
  description: "Look at a file",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.WorkspaceRead],
  parameters: Schema.Struct({
    path: Schema.NonEmptyString.annotate({ description: "Relative" }),
    mode: ToolSchema.withDefault(Schema.Literals(["text", "bytes"]), "text")
  }),
  output,
  execute: () => Effect.succeed(Tool.result({ output: { text: "" }, display: "" }))
})

const run = Tool.make("run", {
  version: 1,
  description: "Run it",
  tier: "System",
  replay: "Unsafe",
  capabilities: [Capability.Execution],
  parameters: Schema.Struct({}),
  output: Schema.String,
  execute: () => Effect.succeed(Tool.result({ output: "", display: "" }))
})

const tools = [look, run]

const lookSchema = {
  type: "object",
  properties: {
    path: { type: "string", minLength: 1, description: "Relative" },
    mode: { type: "string", enum: ["text", "bytes"], default: "text" }
  },
  required: ["path"],
  additionalProperties: false
}
const runSchema = { type: "object", properties: {}, additionalProperties: false }

describe("ToolFormat", () => {
  it("declares to OpenAI's Responses a function that is not strict", () => {
    assert.deepStrictEqual(ToolFormat.openAi(tools), [
      { type: "function", name: "look", description: "Look at a file", parameters: lookSchema, strict: false },
      { type: "function", name: "run", description: "Run it", parameters: runSchema, strict: false }
    ])
  })

  it("declares to chat completions a function inside a function", () => {
    assert.deepStrictEqual(ToolFormat.openAiChat([look]), [
      { type: "function", function: { name: "look", description: "Look at a file", parameters: lookSchema } }
    ])
  })

  it("declares to Anthropic an input_schema", () => {
    assert.deepStrictEqual(ToolFormat.anthropic([look]), [
      { name: "look", description: "Look at a file", input_schema: lookSchema }
    ])
  })

  it("declares to Gemini one list of functions", () => {
    assert.deepStrictEqual(ToolFormat.gemini([look]), [
      {
        functionDeclarations: [{ name: "look", description: "Look at a file", parametersJsonSchema: lookSchema }]
      }
    ])
  })

  it("declares to an MCP client the output and the tier of the tool", () => {
    const [first, second] = ToolFormat.mcp(tools).tools
    assert.deepStrictEqual(first, {
      name: "look",
      description: "Look at a file",
      inputSchema: lookSchema,
      outputSchema: {
        type: "object",
        properties: { text: { type: "string" } },
        required: ["text"],
        additionalProperties: false
      },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false }
    })
    // Text is not structured content of the protocol.
    assert.isFalse("outputSchema" in second)
    assert.deepStrictEqual(second.annotations, { readOnlyHint: false, idempotentHint: false, openWorldHint: true })
  })

  it("declares to Harmony types in a namespace", () => {
    assert.strictEqual(
      ToolFormat.harmony(tools),
      `# Tools

## functions

namespace functions {

// Look at a file
type look = (_: {
// Relative
path: string,
mode?: "text" | "bytes", // default: text
}) => any;

// Run it
type run = () => any;

} // namespace functions
`
    )
    assert.strictEqual(ToolFormat.harmony([]), "")
  })

  it("prints every named format, as JSON if it is JSON", () => {
    for (const format of ToolFormat.formats) {
      const text = ToolFormat.print(format, tools)
      assert.isTrue(text.endsWith("\n"))
      assert.include(text, "Look at a file")
      if (format !== "harmony") assert.strictEqual(JSON.stringify(JSON.parse(text), null, 2), text.trimEnd())
    }
    assert.isTrue(ToolFormat.isFormat("mcp"))
    assert.isFalse(ToolFormat.isFormat("toString"))
  })
})

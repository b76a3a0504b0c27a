/** Declarations of the tools that shapes replace, with the fields that matter to them. */
import type { Model } from "@bough/runtime"

const tool = (name: string, ...fields: ReadonlyArray<string>): Model.ToolDeclaration => ({
  name,
  description: `Tool ${name.length}`,
  parameters: {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field, { type: "string" }])),
    additionalProperties: false
  }
})

export const ShapedModelTools: ReadonlyArray<Model.ToolDeclaration> = [
  tool("read_file", "path"),
  tool("run_command", "command", "cwd", "timeoutMillis"),
  tool("edit_file", "path", "edits"),
  tool("write_file", "path", "content"),
  tool("write_command_input", "commandId", "text")
]

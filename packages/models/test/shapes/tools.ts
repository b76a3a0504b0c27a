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
  tool("read_file", "path", "fromLine", "maxLines", "commit"),
  tool("run_command", "command", "argv", "cwd", "timeoutMillis"),
  tool("start_command", "command", "argv", "cwd", "waitMillis"),
  tool("edit_file", "path", "edits"),
  tool("write_file", "path", "content"),
  tool("find_files", "glob", "path", "limit"),
  tool("search_files", "pattern", "path", "globs", "literal", "ignoreCase", "contextLines", "limit"),
  tool("list_files", "path", "recursive"),
  tool("write_command_input", "commandId", "text")
]

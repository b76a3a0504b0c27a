/** The declarations of a tool for each provider and protocol, in the form of its own interface. */
import { type Tool, ToolSchema } from "@bough/tool"
import { checkArguments } from "@bough/tool/checkArguments"
import * as Expected from "@bough/tool/Expected"
import * as Harmony from "./Harmony.ts"
import * as McpTool from "./McpTool.ts"

/** `openai` is its Responses API, `openai-chat` its chat completions, which most other servers also offer. */
export type Format = "openai" | "openai-chat" | "anthropic" | "gemini" | "mcp" | "harmony"

export const formats: ReadonlyArray<Format> = ["openai", "openai-chat", "anthropic", "gemini", "mcp", "harmony"]

export const isFormat = (text: string): text is Format => (formats as ReadonlyArray<string>).includes(text)

/** Prints the declarations as JSON, or as text if the format is not JSON, with a final line break. */
export const print = (format: Format, tools: ReadonlyArray<Tool.Any>): string =>
  format === "harmony" ? harmony(tools) : `${JSON.stringify(declarations[format](tools), null, 2)}\n`

/** Makes the `tools` of a request. They are not strict: strict schemas would make every optional argument required. */
export const openAi = checkArguments("ToolFormat.openAi", [Expected.tools], (tools: ReadonlyArray<Tool.Any>) =>
  tools.map((tool) => ({
    type: "function",
    name: tool.name,
    description: tool.description,
    parameters: parameters(tool),
    strict: false
  }))
)

/** Makes the `tools` of a request. */
export const openAiChat = checkArguments("ToolFormat.openAiChat", [Expected.tools], (tools: ReadonlyArray<Tool.Any>) =>
  tools.map((tool) => ({
    type: "function",
    function: { name: tool.name, description: tool.description, parameters: parameters(tool) }
  }))
)

/** Makes the `tools` of a request. */
export const anthropic = checkArguments("ToolFormat.anthropic", [Expected.tools], (tools: ReadonlyArray<Tool.Any>) =>
  tools.map((tool) => ({ name: tool.name, description: tool.description, input_schema: parameters(tool) }))
)

/** Makes the `tools` of a request: one list of functions. */
export const gemini = checkArguments("ToolFormat.gemini", [Expected.tools], (tools: ReadonlyArray<Tool.Any>) => [
  {
    functionDeclarations: tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      parametersJsonSchema: parameters(tool)
    }))
  }
])

/** Makes the result of `tools/list`. */
export const mcp = checkArguments("ToolFormat.mcp", [Expected.tools], (tools: ReadonlyArray<Tool.Any>) => ({
  tools: tools.map(McpTool.declaration)
}))

/** Makes the tools section of a developer message. */
export const harmony = checkArguments(
  "ToolFormat.harmony",
  [Expected.tools],
  (tools: ReadonlyArray<Tool.Any>): string =>
    Harmony.section(
      tools.map((tool) => ({ name: tool.name, description: tool.description, parameters: parameters(tool) }))
    )
)

const declarations = { openai: openAi, "openai-chat": openAiChat, anthropic, gemini, mcp }

/** Returns the parameters in the JSON Schema draft for models. */
const parameters = (tool: Tool.Any) => ToolSchema.parameters(tool, "draft-07")

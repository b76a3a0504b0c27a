/** A tool in the declaration of a Model Context Protocol server (revision 2025-06-18). */
import { Capability, type Tool, ToolSchema } from "@bough/tool"
import { checkArguments } from "@bough/tool/checkArguments"
import * as Expected from "@bough/tool/Expected"

export interface Declaration {
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** The schema of the output if it is an object: the protocol has no other structured content. */
  readonly outputSchema?: Readonly<Record<string, unknown>>
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}

/** Capabilities that access resources of others than the user. */
const openWorld = new Set(["NetworkRead", "NetworkWrite", "External", "Execution"])

/**
 * Makes the declaration. Tools do not declare whether their changes destroy data. The hint is therefore absent, and
 * clients assume that they do.
 */
export const declaration = checkArguments("McpTool.declaration", [Expected.tool], (tool: Tool.Any): Declaration => {
  const output = ToolSchema.output(tool)
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: ToolSchema.parameters(tool),
    ...(output["type"] === "object" ? { outputSchema: output } : {}),
    annotations: {
      readOnlyHint: tool.tier === "ReadOnly",
      idempotentHint: tool.replay !== "Unsafe",
      openWorldHint: tool.capabilities.some(({ key }) => openWorld.has(Capability.shortName(key)))
    }
  }
})

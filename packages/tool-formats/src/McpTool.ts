/** A tool as a Model Context Protocol server lists it (revision 2025-06-18). */
import { Capability, type Tool, ToolSchema } from "@bough/tool"

export interface Declaration {
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** Only for objects: the protocol knows no other structured content. */
  readonly outputSchema?: Readonly<Record<string, unknown>>
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}

/** Capabilities that reach things which are not the user's own. */
const openWorld = new Set(["NetworkRead", "NetworkWrite", "External", "Execution"])

/**
 * Makes the declaration. A tool does not declare if its changes destroy data, so that hint is left to the client,
 * which then assumes that they do.
 */
export const declaration = (tool: Tool.Any): Declaration => {
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
}

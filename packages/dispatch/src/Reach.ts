/** The reach of a tool with the capabilities of one session. */
import type { Policy } from "@bough/policy"
import { Capability, type Tool, type ToolContext } from "@bough/tool"

/**
 * Returns the farthest reach among the tool's capabilities in this session. A tool that does more than read, and
 * declares no capability for it, counts as unconfined.
 */
export const reachOf = ({ capabilities, tier }: Tool.Any, context: ToolContext.ToolContext): Policy.Reach => {
  let farthest: Policy.Reach = tier === "ReadOnly" || capabilities.some(exceedsReadOnly) ? "Confined" : "Undeclared"
  for (const { key } of capabilities) {
    const reach = context.capabilities.get(key)?.reach ?? "Confined"
    if (reach === "Host") return "Host"
    if (reach === "Open" && farthest === "Confined") farthest = "Open"
  }
  return farthest
}

const exceedsReadOnly = (capability: Capability.Any): boolean =>
  capability.floor !== "ReadOnly" || Capability.floorOf(capability) !== "ReadOnly"

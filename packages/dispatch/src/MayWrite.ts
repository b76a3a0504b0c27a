/** Which tools may write the workspace: what they ran since lapses an approval of a command outside any sandbox. */
import { Capability, type Tool } from "@bough/tool"

/** These write elsewhere. */
const elsewhere: ReadonlySet<string> = new Set(
  [
    Capability.Chain,
    Capability.Channel,
    Capability.Environment,
    Capability.MemoryWrite,
    Capability.NetworkWrite,
    Capability.Scratchpad,
    Capability.Spawn
  ].map(({ key }) => key)
)

export const mayWrite = ({ capabilities, tier }: Tool.Any): boolean =>
  tier !== "ReadOnly" &&
  (capabilities.length === 0 || capabilities.some(({ floor, key }) => floor !== "ReadOnly" && !elsewhere.has(key)))

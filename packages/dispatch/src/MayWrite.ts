/**
 * The tools that may write the workspace: when one of them runs, the approval of a command outside any sandbox lapses.
 */
import { Capability, type Tool } from "@bough/tool"

/** Tools that write outside of the workspace. */
const remoteCapabilities: ReadonlySet<string> = new Set(
  [
    Capability.Chain,
    Capability.Channel,
    Capability.Environment,
    Capability.MemoryWrite,
    Capability.NetworkWrite,
    Capability.Sampling,
    Capability.Scratchpad,
    Capability.Spawn
  ].map(({ key }) => key)
)

export const mayWrite = ({ capabilities, tier }: Tool.Any): boolean =>
  tier !== "ReadOnly" &&
  (capabilities.length === 0 ||
    capabilities.some(({ floor, key }) => floor !== "ReadOnly" && !remoteCapabilities.has(key)))

/** The mildest tier of a tool that uses a capability, by the capability's short name. Each capability's own `floor` agrees. */
import type { Tier } from "@bough/protocol"

export const floors = {
  WorkspaceRead: "ReadOnly",
  RepositoryRead: "ReadOnly",
  CodeIntelligence: "ReadOnly",
  MemoryRead: "ReadOnly",
  NetworkRead: "ReadOnly",
  SpilledOutput: "ReadOnly",
  History: "ReadOnly",
  WorkspaceWrite: "Workspace",
  RepositoryWrite: "Workspace",
  MemoryWrite: "Workspace",
  Scratchpad: "Workspace",
  Environment: "Workspace",
  Attachments: "Workspace",
  Spawn: "Workspace",
  Execution: "System",
  NetworkWrite: "System",
  Channel: "System",
  Schedule: "System",
  Vault: "System",
  External: "System"
} as const satisfies Readonly<Record<string, Exclude<Tier.Tier, "Elevated">>>

/** No floor for a capability that is not named here: somebody's own says what it is itself. */
export const floorOf = (capability: string): Exclude<Tier.Tier, "Elevated"> =>
  Object.hasOwn(floors, capability) ? floors[capability as keyof typeof floors] : "ReadOnly"

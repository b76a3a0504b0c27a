/**
 * The services that a handler may touch the world through. A capability's `floor` is the mildest tier of a tool that uses
 * it; its `labels` mark what a session learns through it.
 */
export * from "./CapabilityClass.ts"
export { floorOf } from "./internal/builtIn.ts"
export { make, provide } from "./OwnCapability.ts"
export type { Class, Facts } from "./OwnCapability.ts"
export type { Provision } from "./Provided.ts"
export { Channel } from "./Channel.ts"
export { Environment } from "./Environment.ts"
export { Execution } from "./Execution.ts"
export { History } from "./History.ts"
export { MemoryRead } from "./MemoryRead.ts"
export { MemoryWrite } from "./MemoryWrite.ts"
export { NetworkRead } from "./NetworkRead.ts"
export { NetworkWrite } from "./NetworkWrite.ts"
export { RepositoryRead } from "./RepositoryRead.ts"
export { Scratchpad } from "./Scratchpad.ts"
export { Spawn } from "./Spawn.ts"
export { SpilledOutput } from "./SpilledOutput.ts"
export { WorkspaceRead } from "./WorkspaceRead.ts"
export { WorkspaceWrite } from "./WorkspaceWrite.ts"

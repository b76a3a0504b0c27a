/**
 * The capabilities that Bough declares itself. A new one needs a line here, and a line in each session kind that may
 * have it.
 */
export { Attachments } from "../Attachments.ts"
export { Chain } from "../Chain.ts"
export { Channel } from "../Channel.ts"
export { CodeIntelligence } from "../CodeIntelligence.ts"
export { Environment } from "../Environment.ts"
export { Execution } from "../Execution.ts"
export { History } from "../History.ts"
export { MemoryRead } from "../MemoryRead.ts"
export { MemoryWrite } from "../MemoryWrite.ts"
export { NetworkRead } from "../NetworkRead.ts"
export { NetworkWrite } from "../NetworkWrite.ts"
export { RepositoryPush } from "../RepositoryPush.ts"
export { RepositoryRead } from "../RepositoryRead.ts"
export { RepositoryWrite } from "../RepositoryWrite.ts"
export { Scratchpad } from "../Scratchpad.ts"
export { Spawn } from "../Spawn.ts"
export { SpilledOutput } from "../SpilledOutput.ts"
export { Vault } from "../Vault.ts"
export { WorkspaceRead } from "../WorkspaceRead.ts"
export { WorkspaceWrite } from "../WorkspaceWrite.ts"

/** Types of the client half and its failure, for programs that fulfil its ports: nothing of the client is loaded. */
export { ServerFailed } from "./client/Ports.ts"
export type { Ports, ProcessEvents, ServerProcess } from "./client/Ports.ts"
export type * as ServerConfig from "./ServerConfig.ts"
export type * as Servers from "./client/Servers.ts"

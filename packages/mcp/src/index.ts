/** The Model Context Protocol. The client half turns servers into tools; its SDK is loaded with the first connection. */
export * as External from "./client/External.ts"
export { ServerFailed } from "./client/Ports.ts"
export type { Ports } from "./client/Ports.ts"
export * as Form from "./Form.ts"
export * as ServerConfig from "./ServerConfig.ts"
export * as Login from "./client/auth/Login.ts"
export * as Servers from "./client/Servers.ts"
export * as ToolNames from "./client/ToolNames.ts"

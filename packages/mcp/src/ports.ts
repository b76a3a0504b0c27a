/** Types of the client half, for programs that implement its ports; importing them loads no client code. */
export type { Fetch, Logins, Ports } from "./client/Ports.ts"
export type * as Form from "./Form.ts"
export type * as ServerConfig from "./ServerConfig.ts"
export type * as Servers from "./client/Servers.ts"

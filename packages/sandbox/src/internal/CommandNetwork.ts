/** Connects a command with its proxy: the connections that it makes, and the descriptors that its port needs. */
import type { ToolContext } from "@bough/tool"
import type { Server } from "node:net"
import type * as Proxy from "../Proxy.ts"

/** Serves the connections of one command, and asks users on its behalf. */
export interface Network {
  readonly proxy: Proxy.Proxy
  readonly admit: ToolContext.AdmitHost
}

/** The network of a running command. */
export interface ConnectedNetwork {
  readonly connections: Proxy.Connections
}

/** The report, gate and watch, and the channel of sockets. */
export const streams = (hasChannel: boolean) => ["pipe", "pipe", "pipe", hasChannel ? "ipc" : "ignore"] as const

/**
 * The maximum number of connections of one command to its proxy at a time; further ones end at once. Each takes two
 * descriptors of this process, which other sessions need too.
 */
const maxConnections = 256

export const serveConnections =
  ({ connections }: ConnectedNetwork) =>
  (server: Server): void => {
    // A client may end its side first and still wait for a response.
    Object.assign(server, { allowHalfOpen: true, maxConnections })
    server.on("connection", connections.connection)
  }

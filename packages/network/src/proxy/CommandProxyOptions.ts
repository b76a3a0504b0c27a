/** The operator's options of the proxy for commands, and the proxy's interface for a sandbox. */
import type { Execution } from "@bough/tool"
import type { Socket } from "node:net"
import type { ListedService } from "../Guard.ts"

export interface CommandProxyOptions {
  /** Services that are open although they are private. A command reaches them only if it may contact the host. */
  readonly allow?: ReadonlyArray<ListedService>
  /** Name servers to ask (`address` or `address:port`) in place of the machine's own resolver. */
  readonly nameServers?: ReadonlyArray<string>
  /** The maximum number of bytes that one command may send to one host. Default 16 MiB. */
  readonly maxSentBytes?: number
  /** The time for each address that is tried. Default 10 seconds. */
  readonly connectMillis?: number
}

/** The proxy of one command. */
export interface Connections {
  /** Serves a connection that the command made. */
  readonly connection: (socket: Socket) => void
  readonly requests: () => ReadonlyArray<Execution.CommandRequest>
}

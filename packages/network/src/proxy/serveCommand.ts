/** Serves the proxy connections of one command with Node's own HTTP server. */
import type { ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import { createServer } from "node:http"
import type { Socket } from "node:net"
import * as DnsResolver from "../DnsResolver.ts"
import type { CommandProxyOptions, Connections } from "./CommandProxyOptions.ts"
import { type ForwardContext, forward } from "./forward.ts"
import * as ProxyHosts from "./ProxyHosts.ts"
import * as RequestLog from "./RequestLog.ts"
import { tunnel } from "./tunnel.ts"

const maxHeaderBytes = 65_536

/** Serves until the scope ends, and then ends all requests of the command. */
export const serveCommand = (
  { allow = [], connectMillis = 10_000, maxSentBytes = 16 * 1024 ** 2, nameServers }: CommandProxyOptions,
  admit: ToolContext.AdmitHost
): Effect.Effect<Connections, never, Scope.Scope> =>
  Effect.gen(function* () {
    const log = RequestLog.make(maxSentBytes)
    const run = yield* FiberSet.makeRuntime()
    const lookup = nameServers === undefined ? DnsResolver.system : DnsResolver.servers(nameServers)
    const hosts = ProxyHosts.make({ admit, connectMillis, guard: { lookup, listed: allow, grants: [] } })
    const answering: ForwardContext = { hosts, log }
    const server = createServer({ insecureHTTPParser: false, maxHeaderSize: maxHeaderBytes })
    server.on("connect", (request, socket, head) => {
      run(tunnel(answering, { authority: request.url ?? "", socket: socket as Socket, head }))
    })
    server.on("request", (request, response) => {
      run(forward(answering, request, response))
    })
    // A client that does not speak HTTP gets an error, and its connection ends.
    server.on("clientError", (_, socket) => {
      if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
      else socket.destroy()
    })
    return { connection: (socket) => void server.emit("connection", socket), requests: log.lines }
  })

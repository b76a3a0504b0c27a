/** A proxy with one command behind it, spoken to byte by byte: `open.test` may be reached, nothing else. */
import type { ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { CommandProxy } from "../../src/index.ts"
import type { CommandProxyOptions } from "../../src/proxy/CommandProxyOptions.ts"
import { nameServer, serve, type Zone } from "../World.ts"

/** The address of the proxy for a test, as a sandbox's own listener would provide it. */
const listening = (onConnection: (socket: Socket) => void) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer({ allowHalfOpen: true }, onConnection)
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close())
  )

/** All bytes that come back for these until the other side ends, or until `enough` of it has come. */
export const speak = (port: number, bytes: string | Uint8Array, enough: (answer: string) => boolean = () => false) =>
  Effect.callback<string>((resume) => {
    let answer = ""
    const socket = connect({ port, host: "127.0.0.1" }, () => void socket.write(bytes))
    const done = () => {
      socket.destroy()
      resume(Effect.succeed(answer))
    }
    socket.on("data", (piece: Buffer) => {
      answer += piece.toString("latin1")
      if (enough(answer)) done()
    })
    socket.on("end", done).on("close", done).on("error", done)
    return Effect.sync(() => socket.destroy())
  })

export interface Setting {
  readonly zone?: Zone
  readonly maxSentBytes?: number
  /** Private addresses that are open, beside `open.test` at the site's port. */
  readonly alsoAllow?: NonNullable<CommandProxyOptions["allow"]>
  readonly admit?: ToolContext.AdmitHost
}

export const open = Effect.fnUntraced(function* ({ admit, alsoAllow = [], maxSentBytes, zone }: Setting = {}) {
  const site = yield* serve((request, response) => {
    if (request.url === "/redirect") response.writeHead(302, { location: `http://127.0.0.1:${hidden.port}/` })
    request.resume().on("end", () => response.end(`${request.method} ${request.url}`))
  })
  const hidden = yield* serve((_, response) => response.end("hidden"))
  const queried = new Map<string, number>()
  const names = yield* nameServer({ "open.test": ["127.0.0.1"], ...zone }, queried)
  const requested: Array<string> = []
  const proxy = CommandProxy.make({
    nameServers: [names],
    allow: [{ host: "open.test", port: site.port }, ...alsoAllow],
    connectMillis: 5_000,
    ...(maxSentBytes === undefined ? {} : { maxSentBytes })
  })
  const connections = yield* proxy.open((host) => {
    requested.push(`${host.host}:${host.port}`)
    return admit?.(host) ?? Effect.succeed(host.host === "open.test" ? null : "no rule names it")
  })
  const server = yield* listening(connections.connection)
  const { port } = server.address() as AddressInfo
  return {
    site,
    hidden,
    asked: requested,
    port,
    requests: connections.requests,
    /** Names that were resolved. */
    queried: () => [...new Set([...queried.keys()].map((key) => key.replace(/ .*$/u, "")))]
  }
})

/** A request of plain HTTP as clients send it to a proxy. */
export const get = (url: string, headers: ReadonlyArray<string> = []): string =>
  [
    `GET ${url} HTTP/1.1`,
    `Host: ${/^http:\/\/([^/]*)/u.exec(url)?.[1] ?? "x"}`,
    ...headers,
    "Connection: close",
    "",
    ""
  ].join("\r\n")

export const statusOf = (answer: string): number | null => {
  const status = /^HTTP\/1\.1 (\d{3})/u.exec(answer)?.[1]
  return status === undefined ? null : Number(status)
}

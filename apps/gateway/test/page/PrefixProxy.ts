/**
 * A reverse proxy that puts a gateway below a path prefix, as operators do. Everything beside the prefix is not found.
 */
import { createServer, request as send, type Server } from "node:http"

export interface PrefixProxy {
  /** The address of the prefix, without a slash at the end. */
  readonly url: string
  /** Sets the address of the gateway, which needs to know the proxy's address first. */
  readonly forwardTo: (gatewayUrl: string) => void
  readonly close: () => Promise<void>
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      if (typeof address === "object" && address !== null) resolve(address.port)
      else reject(new Error("the proxy has no port"))
    })
  })

/** Starts a proxy that leaves headers, bodies and streams unchanged, and strips the prefix from each path. */
export const start = async (prefix: string): Promise<PrefixProxy> => {
  let target: URL | null = null
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? ""
    if (target === null || !path.startsWith(`${prefix}/`)) {
      outgoing.writeHead(404).end()
      return
    }
    const { headers, method } = incoming
    const { hostname, port } = target
    const forwarded = send({ hostname, port, method, headers, path: path.slice(prefix.length) })
    forwarded.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on("error", () => outgoing.destroy())
    outgoing.on("close", () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  const url = `http://127.0.0.1:${await listen(server)}${prefix}`
  return {
    url,
    forwardTo: (gatewayUrl) => {
      target = new URL(gatewayUrl)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

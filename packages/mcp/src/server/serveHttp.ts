/**
 * Serves an offer by streamable HTTP on this machine's loopback. A browser page can reach it neither by another name of
 * the machine nor from another origin, and each request must have the token.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { randomUUID, timingSafeEqual, createHash } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { ServerFailed } from "../client/Ports.ts"
import type { ServerOffer } from "./Offer.ts"
import * as sdk from "./sdk.ts"
import * as ToolServer from "./ToolServer.ts"

export interface HttpOptions {
  /** 0: any free port. */
  readonly port: number
  /** The required token; null: every program on this machine is served. */
  readonly token: string | null
  /** Makes the offer of a new connection. */
  readonly offer: () => ServerOffer
}

export interface HttpAddress {
  readonly url: string
}

type Transport = InstanceType<typeof sdk.StreamableHTTPServerTransport>

const path = "/mcp"
const maxConnections = 64

/** Listens until the scope closes. */
export const serveHttp = (options: HttpOptions): Effect.Effect<HttpAddress, ServerFailed, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }, ServerFailed>((resume) => {
      const transports = new Map<string, Transport>()
      const server = createServer((request, response) => {
        void Promise.resolve()
          .then(() => handle({ ...options, transports }, request, response))
          .catch(() => refuse(response, 500, "it failed"))
      })
      server.once("error", ({ message }) => resume(Effect.fail(new ServerFailed({ message }))))
      server.listen(options.port, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        const close = () => {
          for (const transport of transports.values()) void transport.close()
          server.close()
          server.closeAllConnections()
        }
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}${path}`, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

interface ServerState extends HttpOptions {
  readonly transports: Map<string, Transport>
}

const handle = (state: ServerState, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const refuseWith = (status: number, message: string) => Promise.resolve(refuse(response, status, message))
  const { offer, token, transports } = state
  const { authorization, host = "", origin } = request.headers
  if (!isLocal(`http://${host}`)) return refuseWith(403, `the Host ${JSON.stringify(host)} is not this machine`)
  if (origin !== undefined && !isLocal(origin)) {
    return refuseWith(403, `the Origin ${JSON.stringify(origin)} is not this machine`)
  }
  if (new URL(request.url ?? "/", "http://localhost").pathname !== path)
    return refuseWith(404, `there is ${path} alone`)
  if (token !== null && !isSame(authorization ?? "", `Bearer ${token}`)) {
    response.setHeader("WWW-Authenticate", "Bearer")
    return refuseWith(401, "the bearer token is missing or wrong")
  }
  const sessionId = request.headers["mcp-session-id"]
  const known = typeof sessionId === "string" ? transports.get(sessionId) : undefined
  if (known !== undefined) return known.handleRequest(request, response)
  if (sessionId !== undefined) return refuseWith(404, "there is no such session")
  if (transports.size >= maxConnections) return refuseWith(503, "too many connections are open")
  const transport = new sdk.StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void transports.set(id, transport)
  })
  const onClose = () => {
    if (transport.sessionId !== undefined) transports.delete(transport.sessionId)
  }
  return ToolServer.connect(offer(), transport, onClose).then(() => transport.handleRequest(request, response))
}

const names: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

const isLocal = (url: string): boolean => names.has(URL.parse(url)?.hostname ?? "")

const isSame = (actual: string, expected: string): boolean => timingSafeEqual(digest(actual), digest(expected))

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

const refuse = (response: ServerResponse, status: number, message: string): void => {
  if (response.headersSent) return void response.end()
  response.writeHead(status, { "content-type": "application/json" })
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }))
}

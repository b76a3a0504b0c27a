/** The sample server over HTTP: the streamable transport or the older one, on a port of loopback. */
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { make } from "./tools.ts"

export interface HttpServer {
  readonly url: string
  /** The method of each request. */
  readonly methods: ReadonlyArray<string>
  /** The headers of each request. */
  readonly headers: ReadonlyArray<IncomingMessage["headers"]>
  readonly close: () => Promise<void>
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

const listen = async (handle: Handle): Promise<HttpServer> => {
  const headers: Array<IncomingMessage["headers"]> = []
  const methods: Array<string> = []
  const server: Server = createServer((request, response) => {
    headers.push(request.headers)
    methods.push(request.method ?? "")
    void handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    headers,
    methods,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

/** A server without sessions: each request has a server of its own. */
export const streamable = (): Promise<HttpServer> =>
  listen(async (request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end()
    const transport = new StreamableHTTPServerTransport({})
    await make().connect(transport)
    await transport.handleRequest(request, response)
  })

/** Answers each call of a tool with a body that never ends. */
export const endless = (type: string): Promise<HttpServer> =>
  listen(async (request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end()
    let text = ""
    for await (const chunk of request) text += String(chunk)
    const body: unknown = JSON.parse(text)
    if ((body as { readonly method?: unknown }).method !== "tools/call") {
      const transport = new StreamableHTTPServerTransport({})
      await make().connect(transport)
      return transport.handleRequest(request, response, body)
    }
    response.writeHead(200, { "content-type": type })
    const piece = `data: ${"f".repeat(1024 * 1024)}\n`
    const more = (): void => void (response.destroyed || response.write(piece, () => setImmediate(more)))
    more()
  })

/** Redirects every request, with its method and body, to the same path of another server. */
export const moved = (to: string): Promise<HttpServer> =>
  listen((request, response) => void response.writeHead(307, { location: new URL(request.url ?? "", to).href }).end())

/** A server with a session for each client, until the client ends it; `open` counts them. */
export const withSessions = async (): Promise<HttpServer & { readonly open: () => number }> => {
  const transports = new Map<string, StreamableHTTPServerTransport>()
  const server = await listen(async (request, response) => {
    const known = transports.get(String(request.headers["mcp-session-id"]))
    if (known !== undefined) return known.handleRequest(request, response)
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void transports.set(id, transport),
      onsessionclosed: (id) => void transports.delete(id)
    })
    await make().connect(transport)
    await transport.handleRequest(request, response)
  })
  return { ...server, open: () => transports.size }
}

/** Like servers of 2024: a stream by GET, and messages by POST elsewhere. */
export const sseOnly = (): Promise<HttpServer> => {
  const transports = new Map<string, SSEServerTransport>()
  return listen(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost")
    if (request.method === "GET" && url.pathname === "/mcp") {
      const transport = new SSEServerTransport("/messages", response)
      transports.set(transport.sessionId, transport)
      return make().connect(transport)
    }
    const transport = transports.get(url.searchParams.get("sessionId") ?? "")
    if (transport === undefined) return void response.writeHead(404).end()
    await transport.handlePostMessage(request, response)
  })
}

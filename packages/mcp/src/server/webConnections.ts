/**
 * Serves offers by streamable HTTP inside another server, which has authenticated each request and checked its host and
 * origin. A connection belongs to its owner, such as a token; other owners cannot see it.
 */
import { randomUUID } from "node:crypto"
import type { ServerOffer } from "./Offer.ts"
import * as sdk from "./sdk.ts"
import * as ToolServer from "./ToolServer.ts"

export interface WebRequest {
  readonly request: Request
  /** The body as JSON; undefined: it has none. */
  readonly body: unknown
  readonly owner: string
  /** Makes the offer of a new connection; `onClose` is called once the connection has ended. */
  readonly open: () => { readonly offer: ServerOffer; readonly onClose: () => void }
}

export interface WebConnections {
  readonly handle: (request: WebRequest) => Promise<Response>
  readonly close: (owner: string) => void
}

type Transport = InstanceType<typeof sdk.WebStandardStreamableHTTPServerTransport>

interface Connection {
  readonly owner: string
  readonly transport: Transport
}

/** The maximum number of connections of one owner; a further one replaces the least recently used. */
const maxConnections = 16

export const webConnections = (): WebConnections => {
  // Ordered by last use.
  const connections = new Map<string, Connection>()
  const ofOwner = (owner: string): ReadonlyArray<Connection> =>
    [...connections.values()].filter((connection) => connection.owner === owner)

  const begin = ({ body, open, owner, request }: WebRequest): Promise<Response> => {
    if (!isInitialize(body)) return Promise.resolve(refuse(400, "initialize the connection first"))
    const ownerConnections = ofOwner(owner)
    if (ownerConnections.length >= maxConnections) void ownerConnections[0]?.transport.close()
    const { offer, onClose } = open()
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void connections.set(id, { owner, transport })
    })
    const onClosed = () => {
      if (transport.sessionId !== undefined) connections.delete(transport.sessionId)
      onClose()
    }
    return ToolServer.connect(offer, transport, onClosed).then(() =>
      transport.handleRequest(request, { parsedBody: body })
    )
  }

  return {
    handle: (request) => {
      const id = request.request.headers.get("mcp-session-id")
      if (id === null) return begin(request)
      const known = connections.get(id)
      if (known === undefined || known.owner !== request.owner) {
        return Promise.resolve(refuse(404, "there is no such session"))
      }
      connections.delete(id)
      connections.set(id, known)
      return known.transport.handleRequest(
        request.request,
        request.body === undefined ? {} : { parsedBody: request.body }
      )
    },
    close: (owner) => {
      for (const { transport } of ofOwner(owner)) void transport.close()
    }
  }
}

const isInitialize = (body: unknown): boolean =>
  sdk.isInitializeRequest(body) || (Array.isArray(body) && body.some((each) => sdk.isInitializeRequest(each)))

const refuse = (status: number, message: string): Response =>
  Response.json({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }, { status })

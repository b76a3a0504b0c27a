/** An MCP server and the authorization server that it names, as plain as HTTP: every answer can be replaced by a test. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface SeenRequests {
  readonly path: string
  readonly body: string
  readonly authorization: string | undefined
}

type Json = Readonly<Record<string, unknown>>

/** Replacements for the answers of a correct server, made from its own origin. */
export interface Lies {
  readonly resource?: (origin: string) => Json
  readonly metadata?: (origin: string) => Json
  readonly registration?: (origin: string) => Json
  /** The fields of the redirect to the client, in addition to the state. */
  readonly redirect?: (origin: string) => Record<string, string>
  readonly token?: (request: SeenRequests, response: ServerResponse) => void
}

export interface Hostile {
  readonly origin: string
  readonly url: string
  readonly seen: ReadonlyArray<SeenRequests>
  readonly close: () => Promise<void>
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ""
  for await (const chunk of request) text += String(chunk)
  return text
}

const json = (response: ServerResponse, status: number, value: unknown): void => {
  response.writeHead(status, { "content-type": "application/json" })
  response.end(JSON.stringify(value))
}

const redirectTo = (input: URL, response: ServerResponse, fields: Readonly<Record<string, string>>): void => {
  const target = new URL(input.searchParams.get("redirect_uri") ?? "")
  target.search = new URLSearchParams({ state: input.searchParams.get("state") ?? "", ...fields }).toString()
  response.writeHead(302, { location: target.href })
  response.end()
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

export const start = async (lies: Lies = {}): Promise<Hostile> => {
  const seen: Array<SeenRequests> = []
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const requestUrl = new URL(request.url ?? "/", origin)
      const one = { path: requestUrl.pathname, body, authorization: request.headers.authorization }
      seen.push(one)
      switch (requestUrl.pathname) {
        case "/.well-known/oauth-protected-resource/mcp":
          return json(response, 200, {
            resource: `${origin}/mcp`,
            authorization_servers: [origin],
            ...lies.resource?.(origin)
          })
        case "/.well-known/oauth-authorization-server":
          return json(response, 200, {
            issuer: origin,
            authorization_endpoint: `${origin}/authorize`,
            token_endpoint: `${origin}/token`,
            registration_endpoint: `${origin}/register`,
            response_types_supported: ["code"],
            code_challenge_methods_supported: ["S256"],
            ...lies.metadata?.(origin)
          })
        case "/register":
          return json(response, 201, {
            ...(JSON.parse(body) as Json),
            client_id: "client",
            ...lies.registration?.(origin)
          })
        case "/authorize":
          return redirectTo(requestUrl, response, { code: "the-code-of-this-login", ...lies.redirect?.(origin) })
        case "/token":
          return lies.token === undefined
            ? json(response, 200, {
                access_token: "access-token",
                refresh_token: "refresh-token",
                token_type: "bearer"
              })
            : lies.token(one, response)
        case "/mcp":
          response.writeHead(401, {
            "www-authenticate": `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
          })
          return void response.end()
        default:
          return json(response, 404, {})
      }
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, url: `${origin}/mcp`, seen, close: () => closed(server) }
}

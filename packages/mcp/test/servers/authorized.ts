/**
 * The sample server behind OAuth: the authorization server of the official SDK on one port of loopback, the protected
 * server on another. Access tokens can be made to expire at once, refresh tokens are valid once.
 */
import { InvalidGrantError, InvalidTokenError } from "@modelcontextprotocol/sdk/server/auth/errors.js"
import { requireBearerAuth } from "@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js"
import type { AuthorizationParams, OAuthServerProvider } from "@modelcontextprotocol/sdk/server/auth/provider.js"
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthRouter,
  mcpAuthMetadataRouter
} from "@modelcontextprotocol/sdk/server/auth/router.js"
import { createMcpExpressApp } from "@modelcontextprotocol/sdk/server/express.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import type { OAuthClientInformationFull, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js"
import { randomUUID } from "node:crypto"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { make } from "./tools.ts"

type RequestHandler = ReturnType<typeof requireBearerAuth>
type App = ReturnType<typeof createMcpExpressApp>

export interface AuthorizedServer {
  readonly url: string
  readonly issuer: string
  /** Every access and refresh token so far. */
  readonly issued: ReadonlyArray<string>
  readonly registered: () => number
  readonly revoked: ReadonlySet<string>
  /** Ends the access tokens. */
  readonly expire: () => void
  readonly close: () => Promise<void>
}

const listen = (app: App): Promise<Server> =>
  new Promise((resolve) => {
    const server = app.listen(0, "127.0.0.1", () => resolve(server))
  })

const portOf = (server: Server): number => (server.address() as AddressInfo).port

export const start = async (): Promise<AuthorizedServer> => {
  const clients = new Map<string, OAuthClientInformationFull>()
  const codes = new Map<string, AuthorizationParams>()
  const access = new Set<string>()
  const refresh = new Set<string>()
  const revoked = new Set<string>()
  const issued: Array<string> = []
  const grant = (): OAuthTokens => {
    const tokens = { access_token: `access-${randomUUID()}`, refresh_token: `refresh-${randomUUID()}` }
    access.add(tokens.access_token)
    refresh.add(tokens.refresh_token)
    issued.push(tokens.access_token, tokens.refresh_token)
    return { ...tokens, token_type: "bearer", expires_in: 3600, scope: "tools" }
  }
  const provider: OAuthServerProvider = {
    clientsStore: {
      getClient: (id) => clients.get(id),
      registerClient: (client) => {
        const full = { ...client, client_id: randomUUID(), client_id_issued_at: 0 }
        clients.set(full.client_id, full)
        return full
      }
    },
    authorize: (_client, params, response) => {
      const code = randomUUID()
      codes.set(code, params)
      const target = new URL(params.redirectUri)
      target.searchParams.set("code", code)
      if (params.state !== undefined) target.searchParams.set("state", params.state)
      response.redirect(target.href)
      return Promise.resolve()
    },
    challengeForAuthorizationCode: (_client, code) => Promise.resolve(codes.get(code)?.codeChallenge ?? ""),
    exchangeAuthorizationCode: (_client, code) =>
      codes.delete(code) ? Promise.resolve(grant()) : Promise.reject(new InvalidGrantError("no such code")),
    exchangeRefreshToken: (_client, token) =>
      refresh.delete(token) ? Promise.resolve(grant()) : Promise.reject(new InvalidGrantError("no such token")),
    verifyAccessToken: (token) =>
      access.has(token)
        ? Promise.resolve({ token, clientId: "any", scopes: ["tools"], expiresAt: Date.now() / 1000 + 3600 })
        : Promise.reject(new InvalidTokenError("no such token")),
    revokeToken: (_client, { token }) => {
      revoked.add(token)
      refresh.delete(token)
      access.delete(token)
      return Promise.resolve()
    }
  }
  const authApp = createMcpExpressApp()
  const authServer = await listen(authApp)
  const issuerUrl = new URL(`http://127.0.0.1:${portOf(authServer)}/`)
  authApp.use(mcpAuthRouter({ provider, issuerUrl, scopesSupported: ["tools"] }))

  const app = createMcpExpressApp()
  const server = await listen(app)
  const resourceServerUrl = new URL(`http://127.0.0.1:${portOf(server)}/mcp`)
  const oauthMetadata = {
    issuer: issuerUrl.href,
    authorization_endpoint: new URL("authorize", issuerUrl).href,
    token_endpoint: new URL("token", issuerUrl).href,
    response_types_supported: ["code"]
  }
  app.use(mcpAuthMetadataRouter({ oauthMetadata, resourceServerUrl, scopesSupported: ["tools"] }))
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(resourceServerUrl)
  const auth = requireBearerAuth({ verifier: provider, requiredScopes: ["tools"], resourceMetadataUrl })
  const serve: RequestHandler = (request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end()
    const transport = new StreamableHTTPServerTransport({})
    const sample = make()
    const token = request.headers.authorization ?? ""
    sample.registerTool("whisper", { description: "Says the token" }, () => ({
      content: [{ type: "text", text: `you sent ${token}` }]
    }))
    void sample.connect(transport).then(() => transport.handleRequest(request, response, request.body))
  }
  app.all("/mcp", auth, serve)
  const closed = (one: Server): Promise<void> =>
    new Promise((resolve) => {
      one.close(() => resolve())
      one.closeAllConnections()
    })
  return {
    url: resourceServerUrl.href,
    issuer: issuerUrl.href,
    issued,
    revoked,
    registered: () => clients.size,
    expire: () => access.clear(),
    close: async () => {
      await Promise.all([closed(server), closed(authServer)])
    }
  }
}

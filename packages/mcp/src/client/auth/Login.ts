/** Logs the user in at a server by OAuth: discovery, registration, a page in the browser, a code, tokens. */

import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js"
import * as Effect from "effect/Effect"
import { randomBytes } from "node:crypto"
import type { HttpTransport, ServerConfig } from "../../ServerConfig.ts"
import { type Fetch, ServerFailed } from "../Ports.ts"
import { request, sentenceOf } from "../Request.ts"
import * as AuthorizationServer from "./AuthorizationServer.ts"
import * as Challenge from "./Challenge.ts"
import * as Credentials from "./Credentials.ts"
import * as Provider from "./Provider.ts"
import * as Redirect from "./Redirect.ts"

export interface LoginOptions {
  readonly server: ServerConfig
  readonly store: Credentials.Store
  /** Sends to the server. */
  readonly fetch: Fetch
  /** Sends to the authorization server. */
  readonly authFetch: Fetch
  /** Shows the user the address of the page to open. */
  readonly show: (page: string) => void
}

const loadSdk = Effect.promise(() => import("../sdk.ts"))

const failed = (message: string) => new ServerFailed({ message })

/** Returns the server's HTTP transport if users can log in at it. */
const httpOf = ({
  name,
  transport
}: ServerConfig): Effect.Effect<HttpTransport & { readonly at: URL }, ServerFailed> => {
  if (transport._tag !== "Http") return Effect.fail(failed(`${name} is a program: it has no login`))
  const at = URL.parse(transport.url)
  if (at === null) return Effect.fail(failed(`${transport.url} is not a URL`))
  const refused = AuthorizationServer.refusal(at)
  return refused === null ? Effect.succeed({ ...transport, at }) : Effect.fail(failed(refused))
}

/** Fails if the server requires no login, or the user does not finish it. */
export const login = Effect.fnUntraced(function* (options: LoginOptions) {
  const { authFetch, server, show, store } = options
  const sdk = yield* loadSdk
  const { at } = yield* httpOf(server)
  const { challenge: before } = Credentials.read(store.load())
  const response = yield* challengedBy(options)
  // A server may answer the first request without a login, and require a login or a wider scope later.
  const requested = response.status === 401 ? Challenge.read(sdk, response) : before
  if (requested === null) return yield* failed(`${server.name} asks for no login: it answers ${response.status}`)
  const challenge = { scope: before?.scope ?? requested.scope, resourceMetadata: requested.resourceMetadata }
  // Forgets the registered client: it is bound to its redirect port.
  store.save(JSON.stringify({ ...Credentials.none, challenge }))
  const state = randomBytes(32).toString("base64url")
  const redirect = yield* Redirect.listen({ port: server.oauth.redirectPort, state })
  let page: URL | null = null
  const provider = Provider.make({
    store,
    settings: server.oauth,
    server: at,
    user: {
      redirectUrl: redirect.url,
      state,
      show: (shown) => {
        page = shown
      }
    }
  })
  const step = (authorizationCode?: string) =>
    request(() =>
      sdk.auth(provider, {
        serverUrl: at,
        ...(authorizationCode === undefined ? {} : { authorizationCode }),
        ...Challenge.toOptions(challenge),
        fetchFn: authFetch
      })
    ).pipe(
      // An authorization server may repeat what it was sent in its error.
      Effect.mapError(({ message }) =>
        failed(Credentials.hide(message, [authorizationCode ?? "", verifierOf(provider), ...secrets()]))
      )
    )
  const secrets = () => Credentials.secretsOf(Credentials.read(store.load()), server.oauth)
  yield* step()
  const shown = page as URL | null
  if (shown === null) return yield* failed("the authorization server named no page")
  const refused = AuthorizationServer.pageRefusal(shown, at)
  if (refused !== null) return yield* failed(refused)
  show(shown.href)
  const { code, issuer } = yield* redirect.outcome
  const metadata = metadataOf(Credentials.read(store.load()))
  const expected = textOf(metadata?.["issuer"])
  // RFC 9207: a server whose metadata announces `iss` must send it in each response.
  if (issuer === null && metadata?.["authorization_response_iss_parameter_supported"] === true) {
    return yield* failed(`the answer names no issuer, and ${expected} says that it always does`)
  }
  // If the response of another authorization server were accepted, that server would get the code.
  if (issuer !== null && expected !== null && issuer !== expected) {
    return yield* failed(`the answer is of ${JSON.stringify(issuer.slice(0, 200))}, not of ${expected}`)
  }
  yield* step(code)
}, Effect.scoped)

type Metadata = Readonly<Record<string, unknown>>

const metadataOf = ({ discovery }: Credentials.StoredCredentials): Metadata | null => {
  const metadata: unknown = discovery?.["authorizationServerMetadata"]
  return metadata !== null && typeof metadata === "object" ? (metadata as Metadata) : null
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null)

const verifierOf = (provider: OAuthClientProvider): string => {
  const verifier = provider.codeVerifier()
  return typeof verifier === "string" ? verifier : ""
}

const hello = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bough", version: "0.0.0" } }
}

/** Reads the server's answer to a request without a token. */
const challengedBy = Effect.fnUntraced(function* ({ fetch, server }: LoginOptions) {
  const { at, headers } = yield* httpOf(server)
  const response = yield* Effect.tryPromise({
    try: (signal) =>
      fetch(at, {
        method: "POST",
        signal,
        redirect: "manual",
        headers: { ...headers, "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
        body: JSON.stringify(hello)
      }),
    catch: (cause) => failed(sentenceOf(cause))
  })
  yield* Effect.promise(() => response.body?.cancel() ?? Promise.resolve())
  return response
})

/** Deletes the login, and asks the authorization server to revoke its tokens. Returns false if there was none. */
export const logout = Effect.fnUntraced(function* ({
  authFetch,
  store
}: Pick<LoginOptions, "authFetch" | "store">): Effect.fn.Return<boolean> {
  const stored = Credentials.read(store.load())
  const { client, tokens } = stored
  const named = metadataOf(stored)?.["revocation_endpoint"]
  store.save(JSON.stringify(Credentials.none))
  const endpoint = typeof named === "string" ? URL.parse(named) : null
  const token = tokens?.refresh_token ?? tokens?.access_token
  if (endpoint === null || token === undefined || AuthorizationServer.refusal(endpoint) !== null) return tokens !== null
  const { client_id: id, client_secret: secret } = client ?? {}
  const body = new URLSearchParams({
    token,
    ...(typeof id === "string" ? { client_id: id } : {}),
    ...(typeof secret === "string" ? { client_secret: secret } : {})
  })
  yield* Effect.ignore(
    Effect.tryPromise(() =>
      authFetch(endpoint, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: body.toString()
      })
    )
  )
  return true
})

/** Adapts a stored login to the SDK. */
import type { OAuthClientProvider, OAuthDiscoveryState } from "@modelcontextprotocol/sdk/client/auth.js"
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js"
import type { OAuthSettings } from "../../ServerConfig.ts"
import * as AuthorizationServer from "./AuthorizationServer.ts"
import * as Credentials from "./Credentials.ts"

export interface ProviderOptions {
  readonly store: Credentials.Store
  readonly settings: OAuthSettings
  /** The address of the MCP server. */
  readonly server: URL
  /** The user's part; null: no user is present, so no client is registered and no page is shown. */
  readonly user: {
    readonly redirectUrl: string
    readonly state: string
    readonly show: (page: URL) => void
  } | null
}

const clientName = "Bough"

/** The parts of a stored login, in the SDK's format. */
type StoredParts = { readonly [Part in "client" | "discovery" | "tokens"]?: object | null }

export const make = ({ server, settings, store, user }: ProviderOptions): OAuthClientProvider => {
  const load = () => Credentials.read(store.load())
  const save = (change: StoredParts): void => store.save(JSON.stringify({ ...load(), ...change }))
  const { clientId, clientSecret, scope } = settings
  const redirectUrl = user?.redirectUrl ?? "http://127.0.0.1/callback"
  let verifier = ""
  let presented: string | undefined
  return {
    redirectUrl,
    clientMetadata: {
      client_name: clientName,
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: clientSecret === null ? "none" : "client_secret_basic",
      ...(scope === null ? {} : { scope })
    },
    state: () => user?.state ?? "",
    clientInformation: () =>
      clientId === null
        ? ((load().client ?? undefined) as OAuthClientInformationMixed | undefined)
        : { client_id: clientId, ...(clientSecret === null ? {} : { client_secret: clientSecret }) },
    ...(user === null || clientId !== null ? {} : { saveClientInformation: (client) => save({ client }) }),
    tokens: () => {
      const { tokens } = load()
      presented = tokens?.refresh_token
      return (tokens ?? undefined) as OAuthTokens | undefined
    },
    saveTokens: (tokens) => save({ tokens }),
    redirectToAuthorization: (page) => user?.show(page),
    saveCodeVerifier: (text) => {
      verifier = text
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (discovery) => {
      const fault = AuthorizationServer.faultOf(discovery, settings, server)
      if (fault !== null) throw new Error(fault)
      save({ discovery })
    },
    discoveryState: () => (load().discovery ?? undefined) as OAuthDiscoveryState | undefined,
    invalidateCredentials: (scope) => {
      if (scope === "all") save({ client: null, tokens: null, discovery: null })
      if (scope === "client") save({ client: null })
      // Another process may have replaced the tokens that the authorization server refused.
      if (scope === "tokens" && load().tokens?.refresh_token === presented) save({ tokens: null })
      if (scope === "discovery") save({ discovery: null })
    }
  }
}

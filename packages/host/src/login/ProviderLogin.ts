/** Logs the user in at a provider: in the browser with PKCE, or by a code on any device. Logs out again. */
import * as Redirect from "@bough/mcp/client/auth/Redirect"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as OpenId from "openid-client"
import { failed, HostFailure, invalid } from "../HostFailure.ts"
import * as AuthorizationServer from "./AuthorizationServer.ts"
import type { Login } from "./LoginSchema.ts"
import * as StoredLogin from "./StoredLogin.ts"

/** The user's part of a login. */
export interface LoginUser {
  /** Shows the page to open; `code` is what the user types there, null for a page of the browser's flow. */
  readonly show: (page: { readonly url: string; readonly code: string | null }) => Effect.Effect<void>
  /**
   * Waits for the address of a page that the browser could not load, which the user pastes; never ends if the user
   * pastes nothing. `isOwn` tells whether the address is of this login. Fails if the user stops the login.
   */
  readonly paste: (isOwn: (address: string) => boolean) => Effect.Effect<string, HostFailure>
}

export interface ProviderLoginOptions {
  readonly provider: string
  readonly login: Login
  readonly dataDirectory: string
  /** Select the proxy. */
  readonly variables: Readonly<Record<string, string | undefined>>
}

const refused = (provider: string, cause: unknown): HostFailure =>
  failed(`not logged in at ${provider}: ${AuthorizationServer.sentenceOf(cause)}`, "try to log in again", cause)

/** Logs in and stores the tokens, by the flow of the configuration unless `flow` names another. */
export const logIn = Effect.fnUntraced(function* (
  options: ProviderLoginOptions,
  user: LoginUser,
  flow: "browser" | "device" = options.login.flow ?? "browser"
): Effect.fn.Return<void, HostFailure> {
  const { dataDirectory, login, provider, variables } = options
  const server = yield* AuthorizationServer.connect(provider, login, variables)
  const tokens = yield* flow === "device" ? byDevice(options, server, user) : inBrowser(options, server, user)
  const now = yield* Clock.currentTimeMillis
  StoredLogin.save(StoredLogin.fileOf(dataDirectory, provider, login), toStored(tokens, null, now))
})

export const toStored = (
  tokens: OpenId.TokenEndpointResponse & OpenId.TokenEndpointResponseHelpers,
  refreshToken: string | null,
  nowMillis: number
): StoredLogin.StoredLogin => {
  const seconds = tokens.expiresIn()
  return {
    v: 1,
    accessToken: tokens.access_token,
    // A server that does not rotate refresh tokens sends none with the next access token.
    refreshToken: tokens.refresh_token ?? refreshToken,
    expiresAtMillis: seconds === undefined ? null : nowMillis + seconds * 1000
  }
}

const inBrowser = Effect.fnUntraced(function* (
  { login, provider }: ProviderLoginOptions,
  { client, configuration }: AuthorizationServer.AuthorizationServer,
  user: LoginUser
) {
  if (configuration.serverMetadata().authorization_endpoint === undefined) {
    return yield* invalid(`providers.${provider}.oauth has no authorizationEndpoint`, 'add one, or set flow: "device"')
  }
  const [state, verifier] = [client.randomState(), client.randomPKCECodeVerifier()]
  const challenge = yield* Effect.promise(() => client.calculatePKCECodeChallenge(verifier))
  const redirect = yield* Effect.mapError(
    Redirect.listen({ port: login.redirectPort ?? 0, state, host: login.redirectHost ?? "127.0.0.1" }),
    (cause) => refused(provider, cause)
  )
  const page = client.buildAuthorizationUrl(configuration, {
    ...login.parameters,
    ...scopeOf(login),
    redirect_uri: redirect.url,
    code_challenge: challenge,
    code_challenge_method: "S256",
    state
  })
  yield* user.show({ url: page.href, code: null })
  const { code, issuer } = yield* returnedTo(redirect, user, provider)
  const current = new URL(redirect.url)
  current.search = new URLSearchParams({ code, state, ...(issuer === null ? {} : { iss: issuer }) }).toString()
  return yield* Effect.tryPromise({
    try: () =>
      client.authorizationCodeGrant(configuration, current, { pkceCodeVerifier: verifier, expectedState: state }),
    catch: (cause) => refused(provider, cause)
  })
}, Effect.scoped)

/** The browser's redirect, or its address as the user pastes it: the first of both. */
export const returnedTo = (redirect: Redirect.Redirect, user: LoginUser, provider: string) =>
  Effect.raceFirst(
    redirect.outcome,
    Effect.flatMap(
      user.paste((address) => redirect.read(address) !== null),
      (address) => {
        const result = redirect.read(address)
        return result === null ? Effect.never : Effect.fromResult(result)
      }
    )
  ).pipe(Effect.mapError((cause) => (cause instanceof HostFailure ? cause : refused(provider, cause))))

const byDevice = Effect.fnUntraced(function* (
  { login, provider }: ProviderLoginOptions,
  { client, configuration }: AuthorizationServer.AuthorizationServer,
  user: LoginUser
) {
  if (configuration.serverMetadata().device_authorization_endpoint === undefined) {
    return yield* invalid(
      `the authorization server of ${provider} offers no login by a code`,
      "log in in the browser, or set deviceEndpoint"
    )
  }
  const authorization = yield* Effect.tryPromise({
    try: () => client.initiateDeviceAuthorization(configuration, { ...login.parameters, ...scopeOf(login) }),
    catch: (cause) => refused(provider, cause)
  })
  yield* user.show({ url: authorization.verification_uri, code: authorization.user_code })
  return yield* Effect.tryPromise({
    try: (signal) => client.pollDeviceAuthorizationGrant(configuration, authorization, undefined, { signal }),
    catch: (cause) => refused(provider, cause)
  })
})

const scopeOf = ({ scopes = [] }: Login) => (scopes.length === 0 ? {} : { scope: scopes.join(" ") })

/** Deletes the tokens, and asks the authorization server to revoke them. Returns false if there was no login. */
export const logOut = Effect.fnUntraced(function* ({
  dataDirectory,
  login,
  provider,
  variables
}: ProviderLoginOptions): Effect.fn.Return<boolean> {
  const file = StoredLogin.fileOf(dataDirectory, provider, login)
  const stored = StoredLogin.read(file)
  if (stored === null) return false
  StoredLogin.remove(file)
  const token = stored.refreshToken ?? stored.accessToken
  yield* Effect.gen(function* () {
    const { client, configuration } = yield* AuthorizationServer.connect(provider, login, variables)
    if (configuration.serverMetadata().revocation_endpoint === undefined) return
    yield* Effect.tryPromise(() => client.tokenRevocation(configuration, token))
  }).pipe(Effect.ignore)
  return true
})

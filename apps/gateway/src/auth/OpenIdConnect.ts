/**
 * Sign-in by an OpenID Connect provider: the authorization code flow with PKCE, state and nonce. The package
 * openid-client implements the protocol; this module connects it with stored requests and with users.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as OpenId from "openid-client"
import { Accounts, type IssuedCredential, type User } from "../accounts/Accounts.ts"
import type { Actor } from "../accounts/AuditLog.ts"
import type { OpenIdSettings } from "./AuthSettings.ts"
import * as OpenIdClaims from "./OpenIdClaims.ts"
import * as OpenIdRequests from "./OpenIdRequests.ts"

/** A short code for the page; the cause is for the log and contains no secret. */
export class OpenIdFailed extends Schema.TaggedError<OpenIdFailed>()("OpenIdFailed", {
  code: Schema.Literals(["unavailable", "expired", "denied", "rejected", "unknown-user", "name-taken"]),
  reason: Schema.String
}) {
  override get message(): string {
    return `${this.code}: ${this.reason}`
  }
}

export interface OpenIdOptions {
  readonly settings: OpenIdSettings
  readonly clientSecret: Redacted.Redacted | null
  /** The address to which the provider returns users, as registered there. */
  readonly redirectUrl: string
  readonly cookieLifetimeMillis: number
}

export class OpenIdConnect extends Context.Service<
  OpenIdConnect,
  {
    readonly name: string
    /** Returns the provider's address and the state, which the browser stores in a cookie. */
    readonly begin: Effect.Effect<{ readonly url: string; readonly state: string }, OpenIdFailed>
    /** Signs in the user whom the provider returned to `url` with the browser's state. */
    readonly finish: (callback: {
      readonly url: URL
      readonly state: string | undefined
      readonly address: string | null
    }) => Effect.Effect<IssuedCredential, OpenIdFailed>
  }
>()("@bough/gateway/OpenIdConnect") {}

const reasonOf = (cause: unknown): string =>
  cause instanceof Error ? `${cause.name}: ${cause.message}` : "unknown error"

const failedAs = (code: OpenIdFailed["code"]) => (cause: unknown) => new OpenIdFailed({ code, reason: reasonOf(cause) })

/** Allows plain http for a provider on this machine. */
const isLoopback = (url: URL): boolean => ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname)

export const make = Effect.fnUntraced(function* (options: OpenIdOptions) {
  const { clientSecret, cookieLifetimeMillis, redirectUrl, settings } = options
  const accounts = yield* Accounts
  const requests = yield* OpenIdRequests.make
  const issuer = new URL(settings.issuer)

  // Loaded and discovered at the first sign-in: a provider that is down does not prevent the gateway's start.
  const library = Effect.promise(() => import("openid-client"))
  let discovered: OpenId.Configuration | null = null
  const configuration = Effect.gen(function* () {
    const client = yield* library
    discovered ??= yield* Effect.tryPromise({
      try: () =>
        client.discovery(
          issuer,
          settings.clientId,
          clientSecret === null ? undefined : Redacted.value(clientSecret),
          clientSecret === null ? client.None() : undefined,
          {
            timeout: 10,
            // Signatures of ID tokens are checked although TLS vouches for their sender: a proxy may have ended it.
            execute: [client.enableNonRepudiationChecks, ...(isLoopback(issuer) ? [client.allowInsecureRequests] : [])]
          }
        ),
      catch: failedAs("unavailable")
    })
    return { client, configuration: discovered }
  })

  const begin = Effect.gen(function* () {
    const { client, configuration: provider } = yield* configuration
    const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()]
    const challenge = yield* Effect.promise(() => client.calculatePKCECodeChallenge(verifier))
    yield* requests.begin({ state, nonce, verifier })
    const url = client.buildAuthorizationUrl(provider, {
      redirect_uri: redirectUrl,
      scope: "openid profile email",
      code_challenge: challenge,
      code_challenge_method: "S256",
      state,
      nonce
    })
    return { url: url.href, state }
  })

  const claimsFrom = Effect.fnUntraced(function* (url: URL, request: OpenIdRequests.OpenIdRequest) {
    const { client, configuration: provider } = yield* configuration
    const current = new URL(redirectUrl)
    current.search = url.search
    const tokens = yield* Effect.tryPromise({
      try: () =>
        client.authorizationCodeGrant(provider, current, {
          pkceCodeVerifier: request.verifier,
          expectedState: request.state,
          expectedNonce: request.nonce,
          idTokenExpected: true
        }),
      catch: failedAs("rejected")
    })
    const idToken = tokens.claims()
    if (idToken === undefined) return yield* new OpenIdFailed({ code: "rejected", reason: "no ID token" })
    // Providers may leave the profile out of the ID token; openid-client compares the subjects of both.
    const profile =
      provider.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : yield* Effect.tryPromise({
            try: () => client.fetchUserInfo(provider, tokens.access_token, idToken.sub),
            catch: failedAs("rejected")
          })
    return { ...profile, ...idToken }
  })

  /** Adds the user of a new identity. An id that is in use is never taken over: an admin links the identity. */
  const addUser = Effect.fnUntraced(function* (claims: OpenIdClaims.Claims & { readonly sub: string }, actor: Actor) {
    const user = OpenIdClaims.toUserId(claims, settings)
    if (settings.addUsers !== true || user === null)
      return yield* new OpenIdFailed({ code: "unknown-user", reason: `no user is linked to subject ${claims.sub}` })
    const { scopes, tenant } = settings
    const added = yield* accounts
      .addUser({ tenant, user, name: OpenIdClaims.toName(claims, user), scopes }, actor)
      .pipe(
        Effect.mapError((error) =>
          error._tag === "AccountExists"
            ? new OpenIdFailed({ code: "name-taken", reason: error.message })
            : new OpenIdFailed({ code: "unknown-user", reason: error.message })
        )
      )
    yield* accounts
      .linkIdentity({ issuer: settings.issuer, subject: claims.sub }, added, actor)
      .pipe(Effect.mapError(failedAs("unknown-user")))
    return added
  })

  const finish: OpenIdConnect["Service"]["finish"] = Effect.fnUntraced(function* ({ address, state, url }) {
    const returnedState = url.searchParams.get("state")
    // The browser that began the sign-in must end it: a link from another user signs in no one.
    if (state === undefined || returnedState !== state)
      return yield* new OpenIdFailed({ code: "expired", reason: "the sign-in began in another browser" })
    const request = yield* requests.finish(state)
    if (request === null) return yield* new OpenIdFailed({ code: "expired", reason: "the sign-in has expired" })
    if (url.searchParams.has("error"))
      return yield* new OpenIdFailed({ code: "denied", reason: "the provider refused the sign-in" })
    const claims = yield* claimsFrom(url, request)
    if (!OpenIdClaims.hasRequiredClaims(claims, settings))
      return yield* new OpenIdFailed({ code: "unknown-user", reason: `subject ${claims.sub} lacks a required claim` })
    const actor: Actor = { tenant: settings.tenant, user: null, tokenId: null, address }
    const known: User | null = yield* accounts.userOfIdentity({ issuer: settings.issuer, subject: claims.sub })
    const { scopes, tenant, user } = known ?? (yield* addUser(claims, actor))
    return yield* accounts
      .issueCookie(
        { tenant, user, scopes, label: settings.name ?? issuer.host, lifetimeMillis: cookieLifetimeMillis },
        { ...actor, tenant, user }
      )
      .pipe(Effect.mapError(failedAs("unknown-user")))
  })

  return OpenIdConnect.of({ name: settings.name ?? issuer.host, begin, finish })
})

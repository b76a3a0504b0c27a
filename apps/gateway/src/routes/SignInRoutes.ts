/** Handlers of signing in and out. Secrets are sent in bodies, and returned as cookies that scripts cannot read. */
import { Api, Authorization, Problem } from "@bough/gateway-api"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Redacted from "effect/Redacted"
import * as AccessScope from "../accounts/AccessScope.ts"
import { Accounts, type IssuedCredential } from "../accounts/Accounts.ts"
import * as CredentialSecret from "../accounts/CredentialSecret.ts"
import { AccessPolicy } from "../auth/AccessPolicy.ts"
import { OpenIdProvider } from "../auth/OpenIdProvider.ts"
import * as OpenIdRequests from "../auth/OpenIdRequests.ts"
import * as PresentedCredential from "../auth/PresentedCredential.ts"
import * as RequestGuard from "../auth/RequestGuard.ts"
import * as SessionCookie from "../auth/SessionCookie.ts"
import * as SignInGuard from "../auth/SignInGuard.ts"
import * as RequestActor from "./RequestActor.ts"

export const layer = HttpApiBuilder.group(
  Api.Api,
  "signIn",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts
    const policy = yield* AccessPolicy
    const { provider } = yield* OpenIdProvider
    const guard = yield* SignInGuard.make

    const view = (principal: Authorization.Principal, cookie: Redacted.Redacted | null) => ({
      tenant: principal.tenant,
      user: principal.user,
      scopes: AccessScope.sortScopes(principal.scopes),
      isOperator: principal.isOperator,
      csrf: cookie === null ? null : CredentialSecret.csrfToken(cookie),
      expiresAtMillis: principal.expiresAtMillis
    })

    const setCookie = ({ secret }: IssuedCredential) =>
      HttpEffect.appendPreResponseHandler((_request, response) =>
        Effect.succeed(
          SessionCookie.set(response, policy.cookie, { secret, lifetimeMillis: policy.cookieLifetimeMillis })
        )
      )

    const signIn = Effect.fnUntraced(
      function* (text: string) {
        const address = RequestGuard.addressOf(yield* HttpServerRequest.HttpServerRequest)
        const lifetimeMillis = policy.cookieLifetimeMillis
        const issued = yield* guard.count(address, accounts.signIn(Redacted.make(text), { lifetimeMillis, address }))
        const principal = yield* accounts.authenticate(issued.secret)
        yield* setCookie(issued)
        return view(principal, issued.secret)
      },
      Effect.catchTags({
        AddressDelayed: ({ retryAfterMillis }) => Effect.fail(RequestGuard.tooManyRequests(retryAfterMillis)),
        CredentialRejected: () =>
          Effect.fail(new Problem.Unauthenticated({ detail: "the link or token is not valid, or was used" }))
      })
    )

    return handlers.handleAll({
      methods: () =>
        Effect.succeed({
          link: true,
          token: true,
          openid: provider === null ? null : { name: provider.name }
        } as const),
      link: ({ payload }) => signIn(payload.secret),
      token: ({ payload }) => signIn(payload.token),
      openid: Effect.fnUntraced(function* () {
        if (provider === null)
          return yield* new Problem.Unprocessable({ code: "no_provider", detail: "no provider is configured" })
        const { state, url } = yield* provider.begin.pipe(
          Effect.tapError((error) => Effect.logWarning(`sign-in at the provider: ${error.message}`)),
          Effect.mapError(() => new Problem.Unavailable({ code: "provider_unavailable", retryAfterSeconds: 10 }))
        )
        yield* HttpEffect.appendPreResponseHandler((_request, response) =>
          Effect.succeed(
            SessionCookie.setOpenId(response, policy.cookie, {
              value: state,
              lifetimeMillis: OpenIdRequests.lifetimeMillis
            })
          )
        )
        return { url }
      }),
      me: Effect.fnUntraced(function* () {
        const principal = yield* Authorization.CurrentPrincipal
        const request = yield* HttpServerRequest.HttpServerRequest
        const presented = PresentedCredential.fromRequest(request, policy.cookie)
        return view(principal, presented._tag === "Cookie" ? presented.secret : null)
      }),
      signOut: Effect.fnUntraced(function* () {
        const { actor, principal } = yield* RequestActor.current
        const { tenant, tokenId } = principal
        // Another request may have signed out first.
        yield* Effect.ignore(accounts.revoke({ tenant, tokenId }, actor))
        yield* HttpEffect.appendPreResponseHandler((_request, response) =>
          Effect.succeed(SessionCookie.clear(response, policy.cookie))
        )
      })
    })
  })
)

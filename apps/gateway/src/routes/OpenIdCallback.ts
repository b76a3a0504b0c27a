/** The route to which a provider returns users: it answers a navigation, and so redirects to the page. */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { AccessPolicy } from "../auth/AccessPolicy.ts"
import { callbackPath, OpenIdProvider } from "../auth/OpenIdProvider.ts"
import * as RequestGuard from "../auth/RequestGuard.ts"
import * as SessionCookie from "../auth/SessionCookie.ts"

const handle = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const policy = yield* AccessPolicy
  const { provider } = yield* OpenIdProvider
  const clearState = HttpServerResponse.setCookieUnsafe(SessionCookie.openIdNameOf(policy.cookie), "", {
    ...SessionCookie.attributes(policy.cookie),
    sameSite: "lax",
    maxAge: 0
  })
  if (provider === null) return HttpServerResponse.empty({ status: 404 })
  const result = yield* Effect.result(
    provider.finish({
      url: new URL(request.url, policy.publicUrl),
      state: request.cookies[SessionCookie.openIdNameOf(policy.cookie)],
      address: RequestGuard.addressOf(request)
    })
  )
  if (result._tag === "Failure") {
    yield* Effect.logWarning(`sign-in at the provider: ${result.failure.message}`)
    return clearState(
      HttpServerResponse.redirect(`${policy.publicUrl}/sign-in?error=${result.failure.code}`, { status: 303 })
    )
  }
  return SessionCookie.set(
    clearState(HttpServerResponse.redirect(`${policy.publicUrl}/`, { status: 303 })),
    policy.cookie,
    { secret: result.success.secret, lifetimeMillis: policy.cookieLifetimeMillis }
  )
})

export const layer = HttpRouter.add("GET", callbackPath, handle)

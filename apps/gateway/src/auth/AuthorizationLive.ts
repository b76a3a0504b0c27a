/** The middleware that finds the principal of a request, and holds it to its rate and to the scope of the endpoint. */
import { Authorization, Problem } from "@bough/gateway-api"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { Accounts } from "../accounts/Accounts.ts"
import * as Quota from "../accounts/Quota.ts"
import { Quotas } from "../accounts/Quotas.ts"
import type { Principal } from "../accounts/Principal.ts"
import { AccessPolicy } from "./AccessPolicy.ts"
import * as PresentedCredential from "./PresentedCredential.ts"
import * as RequestGuard from "./RequestGuard.ts"
import * as SignInGuard from "./SignInGuard.ts"

const unauthenticated = () =>
  new Problem.Unauthenticated({ detail: "sign in, or send a valid token: Authorization: Bearer …" })

/** Null: the principal has the scope of the endpoint. */
const missingScope = ({ scopes }: Principal, { annotations }: HttpApiEndpoint.Top) => {
  const scope = Context.get(annotations, Authorization.RequiredScope)
  return scope === "any" || scopes.has(scope)
    ? null
    : new Problem.Forbidden({ code: "scope_missing", detail: `this needs a token with the scope ${scope}` })
}

const reads = new Set(["GET", "HEAD", "OPTIONS"])

const make = Effect.gen(function* () {
  const accounts = yield* Accounts
  const quotas = yield* Quotas
  const policy = yield* AccessPolicy
  const signInGuard = yield* SignInGuard.make

  /** Returns the principal, or the problem that the request is answered with. */
  const identify = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    const presented = PresentedCredential.fromRequest(request, policy.cookie)
    if (presented._tag === "None") return unauthenticated()
    const secret: Redacted.Redacted = presented.secret
    const address = RequestGuard.addressOf(request)
    const found = yield* Effect.result(signInGuard.count(address, accounts.authenticate(secret)))
    if (found._tag === "Failure")
      return found.failure._tag === "AddressDelayed"
        ? RequestGuard.tooMany(found.failure.retryAfterMillis)
        : unauthenticated()
    if (presented._tag === "Cookie" && !PresentedCredential.isFromOwnPage(request, secret, policy.allowed))
      return new Problem.Forbidden({
        code: "csrf_failed",
        detail: `a request with the cookie needs the header ${PresentedCredential.csrfHeader} of its sign-in`
      })
    return found.success
  })

  const handle = Effect.fnUntraced(function* <E, R>(
    http: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | Authorization.CurrentPrincipal>,
    endpoint: HttpApiEndpoint.Top
  ) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const principal = yield* identify(request)
    if (!("tokenId" in principal)) return yield* RequestGuard.answer(principal)
    const rate = policy.perToken.take(principal.tokenId, yield* Clock.currentTimeMillis)
    const forbidden = rate.isAllowed ? missingScope(principal, endpoint) : RequestGuard.tooMany(rate.retryAfterMillis)
    const response =
      forbidden === null
        ? yield* Effect.provideService(http, Authorization.CurrentPrincipal, principal)
        : yield* RequestGuard.answer(forbidden)
    if (reads.has(request.method)) return response
    // What is left after this request.
    const usage = yield* quotas.usage(principal.tenant)
    return HttpServerResponse.setHeaders(response, Quota.toHeaders(usage, yield* Clock.currentTimeMillis))
  })

  type Handler = (typeof Authorization.Authorization)["Service"]["bearer"]
  // Both schemes look at the whole request: a wrong token is not let in by a good cookie.
  const handler: Handler = (http, { endpoint }) => handle(http, endpoint)
  return Authorization.Authorization.of({ bearer: handler, cookie: handler })
})

export const layer = Layer.effect(Authorization.Authorization, make)

/** The middleware that identifies the principal of a request, and enforces its rate and the scope of the endpoint. */
import { Authorization, Problem } from "@bough/gateway-api"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import type { Principal } from "../accounts/Principal.ts"
import * as Quota from "../accounts/Quota.ts"
import { Quotas } from "../accounts/Quotas.ts"
import * as RequestLog from "../operations/RequestLog.ts"
import * as IdentifyRequest from "./IdentifyRequest.ts"
import * as JsonBody from "./JsonBody.ts"
import * as RequestGuard from "./RequestGuard.ts"

/** Returns the missing scope; null if the principal has it. */
const missingScope = ({ scopes }: Principal, { annotations }: HttpApiEndpoint.Top) => {
  const scope = Context.get(annotations, Authorization.RequiredScope)
  return scope === "any" || scopes.has(scope)
    ? null
    : new Problem.Forbidden({ code: "scope_missing", detail: `this needs a token with the scope ${scope}` })
}

const reads = new Set(["GET", "HEAD", "OPTIONS"])

const make = Effect.gen(function* () {
  const quotas = yield* Quotas
  const identify = yield* IdentifyRequest.make

  /** Adds the remaining quotas to every response to a change, errors included. */
  const withQuotas =
    ({ tenant }: Principal): HttpEffect.PreResponseHandler =>
    (_request, response) =>
      Effect.flatMap(Effect.all([quotas.limited(tenant), Clock.currentTimeMillis]), ([usage, nowMillis]) =>
        Effect.succeed(HttpServerResponse.setHeaders(response, Quota.toHeaders(usage, nowMillis)))
      )

  const handle = Effect.fnUntraced(function* <E, R>(
    http: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | Authorization.CurrentPrincipal>,
    endpoint: HttpApiEndpoint.Top
  ) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const found = yield* Effect.result(identify(request))
    if (found._tag === "Failure") return yield* RequestGuard.answer(found.failure)
    const principal = found.success
    ;(yield* RequestLog.CurrentFacts).user = `${principal.tenant}/${principal.user}`
    const forbidden = missingScope(principal, endpoint)
    if (forbidden !== null) return yield* RequestGuard.answer(forbidden)
    if (!reads.has(request.method)) {
      yield* HttpEffect.appendPreResponseHandler(withQuotas(principal))
      const fault = yield* Effect.orDie(JsonBody.findFault(request))
      if (fault !== null) return yield* RequestGuard.answer(new Problem.InvalidRequest({ detail: fault }))
    }
    return yield* Effect.provideService(http, Authorization.CurrentPrincipal, principal)
  })

  type Handler = (typeof Authorization.Authorization)["Service"]["bearer"]
  // Both schemes check all credentials of the request: a valid cookie does not make up for a wrong token.
  const handler: Handler = (http, { endpoint }) => handle(http, endpoint)
  return Authorization.Authorization.of({ bearer: handler, cookie: handler })
})

export const layer = Layer.effect(Authorization.Authorization, make)
